import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import { parseJson } from '../server/src/http/read-json.ts'
import { chirpstack } from '../server/src/networks/chirpstack/definition.ts'
import { holdToRange } from '../server/src/networks/uplink.ts'
import { decodeFrame } from '../server/src/sensors/decode.ts'
import type { Bench } from './bench.ts'
import { measureSide, type Side, type SideResult } from './compare.ts'
import { openDatabaseClock } from './database-clock.ts'
import { type Echo, withEcho } from './echo.ts'
import { type Figure, format, median, type Result } from './figures.ts'
import { connectNetwork, registerDevices } from './fleet.ts'
import { countUplinks, proveStored } from './measure-ingest.ts'
import { chirpStackUplink } from './uplink-message.ts'

const devices = 1000
const connections = 256

/** One round, in microseconds of CPU for an uplink or an answer. */
interface Round {
  echo: number
  reading: number
  whole: number
  database: number
  generator: number
  /** Answers a second of the echo. */
  echoRate: number
}

/**
 * Where the CPU of an uplink goes, and the rate that all cores together allow. Reading: the message
 * to the decoded frame, in this process. The rest: its request and answer, and storing it.
 */
export async function measureLayers(bench: Bench): Promise<Result> {
  const callback = await connectNetwork(bench.service)
  await registerDevices(bench.db, devices)
  const before = await countUplinks(bench)
  const counts = { acknowledged: 0, refused: 0 }
  const rounds: Round[] = []
  await withEcho(async (echo) => {
    const sides = await makeSides(bench, echo, callback)
    for (let round = 0; round <= bench.settings.rounds; round += 1) {
      const reading = readFor(bench.settings.seconds * 250)
      const echoed = await measureSide(bench.generator, sides.echo)
      const whole = await measureSide(bench.generator, sides.whole)
      counts.acknowledged += whole.acknowledged
      counts.refused += whole.refused
      bench.progress(`layers, round ${round}: an uplink takes ${format(whole.cost)} µs of Node`)
      if (round > 0) rounds.push(toRound({ echoed, whole }, reading))
    }
  })
  return {
    figures: toFigures(rounds, availableParallelism()),
    proofs: [await proveStored(bench, before.rows, counts)],
  }
}

async function makeSides(
  { db, service, settings }: Bench,
  echo: Echo,
  { path, headers }: { path: string; headers: Record<string, string> },
) {
  const uplinks = { path, headers, connections, uplinksOf: devices, seconds: settings.seconds }
  const databaseClock = await openDatabaseClock(db)
  const whole: Side = {
    ...{ name: 'ingest', process: service, databaseClock },
    load: { ...uplinks, method: 'POST', target: service.target },
  }
  return {
    whole,
    echo: {
      ...{ name: 'echo', process: echo.process },
      load: { ...whole.load, target: { host: '127.0.0.1', port: echo.port } },
    },
  }
}

function toRound(
  { echoed, whole }: Record<'echoed' | 'whole', SideResult>,
  reading: number,
): Round {
  return {
    echo: echoed.cost,
    echoRate: echoed.perSecond,
    reading,
    whole: whole.cost,
    database: whole.databaseCost ?? 0,
    generator: (whole.generator.cpu * 1e6) / whole.perSecond,
  }
}

/** Microseconds that this process takes to read and decode a message, over so many milliseconds. */
function readFor(milliseconds: number): number {
  const message = Buffer.from(chirpStackUplink.text)
  const call = { path: '', query: { event: 'up' }, sentQuery: 'event=up', headers: {} }
  const begin = performance.now()
  let elapsed = 0
  let read = 0
  while (elapsed < milliseconds) {
    for (let turn = 0; turn < 100; turn += 1) {
      const body = parseJson(message)
      for (const told of chirpstack.readMessages({ ...call, body, receivedAt: '' })) {
        const content = holdToRange(told)
        if (content.kind !== 'uplink') throw new Error('the message is no uplink')
        decodeFrame({ bytes: content.payload, fPort: content.fPort })
      }
      read += 1
    }
    elapsed = performance.now() - begin
  }
  return (elapsed * 1000) / read
}

function toFigures(rounds: readonly Round[], cores: number): Figure[] {
  const of = (key: keyof Round) => median(rounds.map((round) => round[key]))
  const share = (name: string, cost: (round: Round) => number, notes: string): Figure => ({
    name,
    ours: `${format(median(rounds.map(cost)))} µs`,
    baseline: `${format(of('whole'))} µs (the whole in Node)`,
    ratios: rounds.map((round) => cost(round) / round.whole),
    notes,
  })
  const bound = (name: string, costOfNode: (round: Round) => number): Figure => {
    const rate = (round: Round) =>
      (cores * 1e6) / (costOfNode(round) + round.database + round.generator)
    return {
      name,
      ours: `${format(median(rounds.map(rate)))}/s`,
      baseline: `${format(of('echoRate'))}/s (echo)`,
      ratios: rounds.map((round) => rate(round) / round.echoRate),
      notes: `${cores} cores, all of them busy; the echo takes ${format(of('echo'))} µs, PostgreSQL ${format(of('database'))} µs an uplink, the generator ${format(of('generator'))} µs`,
    }
  }
  return [
    share('reading it', ({ reading }) => reading, 'bytes to the decoded frame'),
    share(
      'its request and answer, and storing it',
      ({ whole, reading }) => whole - reading,
      'sockets, batches, statements, answers of PostgreSQL, collection of garbage',
    ),
    bound('the most at this cost', ({ whole }) => whole),
    bound('the most if Node took as little as the echo', ({ echo }) => echo),
  ]
}
