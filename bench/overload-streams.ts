import type { Bench } from './bench.ts'
import { type Figure, format, median, tellStatuses } from './figures.ts'
import type { Load, LoadResult } from './generator.ts'
import { run } from './measure-load.ts'
import { startProcess } from './process.ts'

/** Streams of one user at the same time (http/event-stream.ts). */
const allowed = 16
const times = 10
/** Uplinks a second, each of which is an event in each stream. */
const rate = 200

interface Round {
  /** Events a second of all streams. */
  alone: number
  over: number
  refusals: LoadResult
}

/** Streams get their events while ten times as many are asked for, again and again. */
export async function measureStreams(
  bench: Bench,
  uplinks: Load,
): Promise<{ figures: Figure[]; sent: LoadResult[] }> {
  const { settings, service, progress } = bench
  const { target, headers } = service
  const asking: Load = {
    ...{ target, headers, method: 'GET', path: '/v1/events', seconds: settings.seconds },
    connections: allowed * (times - 1),
  }
  const rounds: Round[] = []
  const sent: LoadResult[] = []
  const streams = await openStreams(bench)
  const crowd = startProcess(new URL('./generator.ts', import.meta.url))
  const countEvents = async () => {
    const before = streams.events()
    sent.push(await Promise.race([run(bench.generator, { ...uplinks, rate }), streams.lost]))
    return (streams.events() - before) / settings.seconds
  }
  try {
    for (let round = 0; round < settings.rounds; round += 1) {
      const alone = await countEvents()
      const refusing = run(crowd, asking)
      const over = await countEvents()
      rounds.push({ alone, over, refusals: await Promise.race([refusing, streams.lost]) })
      progress(`${allowed} streams: ${format(alone)} events a second, ${format(over)} with a crowd`)
    }
  } finally {
    streams.close()
    await crowd.stop()
  }
  return { figures: [figureOf(rounds)], sent }
}

function figureOf(rounds: readonly Round[]): Figure {
  const refused = rounds.map(({ refusals }) => tellStatuses(Object.entries(refusals.statuses)))
  return {
    name: `overload: events of ${allowed} streams`,
    ours: `${format(median(rounds.map(({ over }) => over)))}/s`,
    baseline: `${format(median(rounds.map(({ alone }) => alone)))}/s (without the crowd)`,
    ratios: rounds.map(({ alone, over }) => over / alone),
    target: { word: 'at least', value: 0.8 },
    notes: `${rate} uplinks a second; asked for more, and refused ${refused.join(', ')}`,
  }
}

/** Opens as many as a user may have, and counts the uplinks in them. */
async function openStreams({ service: { target, headers } }: Bench) {
  const end = new AbortController()
  const { promise: lost, reject } = Promise.withResolvers<never>()
  lost.catch(() => {})
  let events = 0
  const url = `http://${target.host}:${target.port}/v1/events?kinds=uplink`
  const follow = async (body: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const bytes of body) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      events += lines.filter((line) => line === 'event: uplink').length
    }
    throw new Error('a stream of events has ended')
  }
  for (let opened = 0; opened < allowed; opened += 1) {
    const { status, body } = await fetch(url, { headers, signal: end.signal })
    if (status !== 200 || !body) throw new Error(`a stream of events is answered with ${status}`)
    // One of the crowd would take its place.
    follow(body).catch(reject)
  }
  return { events: () => events, lost, close: () => end.abort() }
}
