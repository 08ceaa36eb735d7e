import assert from 'node:assert/strict'
import type { Login } from './service.ts'
import { until } from './until.ts'

/** For tests: a reader of `GET /events`, over HTTP. The service must listen. */
export interface LiveStream {
  answer: Response
  /** All events so far. Their data is parsed. */
  events: LiveEvent[]
  /** The last id that came. */
  lastId(): string | undefined
  /** The data of the events of a kind. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events freely
  of(kind: string): any[]
  /** Whether the service or `close` has ended the stream. */
  isOver(): boolean
  close(): Promise<void>
}

interface LiveEvent {
  kind: string
  id: string | undefined
  data: unknown
}

interface StreamOptions {
  query?: string
  lastId?: string | undefined
  as?: Login
}

/** Opens a stream and waits for its first event, if it is admitted. */
export async function openStream(
  service: { services: { publicUrl: string }; owner: Login },
  { query = '', lastId, as = service.owner }: StreamOptions = {},
): Promise<LiveStream> {
  const stopping = new AbortController()
  const answer = await fetch(`${service.services.publicUrl}/v1/events${query}`, {
    headers: {
      authorization: `Bearer ${as.token}`,
      organization: String(as.organizationId),
      accept: 'text/event-stream',
      ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
    },
    signal: stopping.signal,
  })
  const events: LiveEvent[] = []
  let isOver = false
  const reading = read(answer, events)
    .catch(() => undefined)
    .finally(() => {
      isOver = true
    })
  if (answer.status === 200) await until(() => events.length > 0 || isOver)
  return {
    answer,
    events,
    lastId: () => events.findLast(({ id }) => id !== undefined)?.id,
    of: (kind) => events.filter((event) => event.kind === kind).map(({ data }) => data),
    isOver: () => isOver,
    async close() {
      stopping.abort()
      await reading
    },
  }
}

async function read(answer: Response, events: LiveEvent[]): Promise<void> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const piece of answer.body ?? []) {
    rest += decoder.decode(piece, { stream: true })
    const blocks = rest.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) events.push(parse(block))
  }
}

function parse(block: string): LiveEvent {
  const fields = new Map(
    block.split('\n').map((line) => {
      const index = line.indexOf(': ')
      assert.ok(index > 0, line)
      return [line.slice(0, index), line.slice(index + 2)]
    }),
  )
  const data = JSON.parse(fields.get('data') ?? 'null')
  return { kind: fields.get('event') ?? '', id: fields.get('id'), data }
}
