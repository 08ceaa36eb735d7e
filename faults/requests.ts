import { performance } from 'node:perf_hooks'
import type { Entry, History, Outcome } from './history.ts'
import type { Member, World } from './world.ts'

/** Longer than any request may wait for a queue or a network. */
const patience = 15_000

export interface Request {
  client: string
  member: Member
  operation: Entry['operation']
  subject: string
  value?: Entry['value']
  process: number
  method?: string
  path: string
  headers?: Record<string, string>
  body?: object
}

export interface Answer {
  entry: Entry
  // biome-ignore lint/suspicious/noExplicitAny: clients look into answers freely
  body: any
}

/** Sends requests of clients, and writes them into the history. */
export interface Recorder extends History {
  /** Milliseconds since the beginning of the run. */
  now(): number
  send(request: Request): Promise<Answer>
}

export function createRecorder(world: World): Recorder {
  const began = performance.now()
  const now = () => performance.now() - began
  const entries: Entry[] = []
  const foreign = new Map(
    world.members.map((member) => [
      member.organizationId,
      world.members
        .filter((other) => other !== member)
        .flatMap(namesOf)
        .flatMap((name) => [name, name.toLowerCase()]),
    ]),
  )
  return {
    entries,
    episodes: [],
    now,
    async send(request) {
      const { client, member, operation, subject, value = null, process } = request
      const begin = now()
      const { status, text } = await fetchText(world, request)
      const entry: Entry = {
        ...{ client, organization: member.organizationId, operation, subject, value, process },
        ...{ begin, end: now(), outcome: outcomeOf(status), status },
      }
      const names = foreign.get(member.organizationId) ?? []
      const leak = operation === 'foreign' ? undefined : names.find((name) => text.includes(name))
      if (leak) entry.leak = leak
      entries.push(entry)
      return { entry, body: parse(text) }
    },
  }
}

/** What the DevEUIs of an organization begin with, and nothing of another one holds. */
export function namesOf(member: Pick<Member, 'organizationId'>): string[] {
  // Also of the devices that it has from the beginning (`makeTenants`).
  return [prefixOf(member), `00AA0000000000${member.organizationId}`]
}

/** What the DevEUIs begin with that its clients register. */
export function prefixOf({ organizationId }: Pick<Member, 'organizationId'>): string {
  return `00AA${organizationId}F`
}

async function fetchText(
  { processes }: World,
  { member, method = 'GET', path, headers, body, process }: Request,
): Promise<{ status: number; text: string }> {
  const base = processes[process]?.address ?? ''
  try {
    const answer = await fetch(base + path, {
      method,
      headers: {
        ...(headers ?? member.headers),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(patience),
    })
    return { status: answer.status, text: await answer.text() }
  } catch {
    return { status: 0, text: '' }
  }
}

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return 'done'
  return status >= 400 && status < 500 && status !== 429 ? 'refused' : 'unknown'
}

function parse(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
