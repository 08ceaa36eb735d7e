import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from './bench.ts'
import { costOf, measureSide, type SideResult } from './compare.ts'
import { openDatabaseClock } from './database-clock.ts'
import { type Figure, format, median, type Result, tellStatuses } from './figures.ts'
import { connectNetwork, makeFleet, registerDevices } from './fleet.ts'
import type { Load, LoadResult } from './generator.ts'
import { thirtyWidgets } from './measure-dashboard.ts'
import { countUplinks, proveStored } from './measure-load.ts'
import { analyzeRollups, fillRollups } from './measure-measurements.ts'
import { measureStreams } from './overload-streams.ts'

const devices = 1000
/** Of the dashboard. */
const shownDevices = 100
const shownFrom = new Date(Date.UTC(2025, 0, 1))
const shownDays = 30
const times = 10
/** Until those who come first have their answer, less is done than later. */
const longer = 3
const connections = 128
/** Of the tenfold load. */
const crowd = 5000
/** A request that is answered within so many milliseconds, and the next ones as well. */
const usual = 250
const inARow = 5

/** At ten times what the service can take: what is done of it, and when it is as usual again. */
export async function measureOverload(bench: Bench): Promise<Result> {
  const { db, service, settings } = bench
  const { target, headers } = service
  const callback = await connectNetwork(service)
  await registerDevices(db, devices)
  const before = await countUplinks(bench)
  const common = { target, connections, seconds: settings.seconds }
  const get = (path: string): Load => ({ ...common, method: 'GET', path, headers })
  const sending: Load = { ...common, method: 'POST', ...callback, uplinksOf: devices }
  const uplinks = await measureEntrance(bench, sending)
  const pages = await measureEntrance(bench, get('/v1/devices/all/uplink?page=1'))
  const overview = await measureEntrance(bench, get('/v1/fleet/summary'))
  const exports = await measureEntrance(bench, get('/v1/fleet/devices/export'))
  const dashboards = await measureEntrance(bench, {
    ...{
      ...common,
      method: 'POST',
      path: '/v1/dashboards/data',
      ...(await prepareDashboard(bench)),
    },
  })
  const streams = await measureStreams(bench, sending)
  const sent = [...uplinks.flatMap(({ alone, over }) => [alone, over]), ...streams.sent]
  const refused = sent.reduce((sum, result) => sum + result.refused, 0)
  return {
    figures: [
      ...figuresOf('uplinks', uplinks, settings.seconds),
      ...figuresOf('pages of ten uplinks', pages, settings.seconds),
      ...figuresOf('summary of the overview', overview, settings.seconds),
      ...figuresOf(`exports of ${devices} devices`, exports, settings.seconds),
      ...figuresOf('dashboards of thirty widgets', dashboards, settings.seconds),
      ...streams.figures,
    ],
    proofs: [await proveStored(bench, before, sent, refused)],
  }
}

/** A month of hundred devices, of an organization of their own. */
async function prepareDashboard(bench: Bench): Promise<Pick<Load, 'headers' | 'body'>> {
  const { organizationId, headers, ...fleet } = await makeFleet(bench, '00aa00b6')
  await registerDevices(bench.db, shownDevices, { organizationId, ...fleet })
  await fillRollups(bench, organizationId, shownFrom, shownDays)
  await analyzeRollups(bench)
  const body = JSON.stringify({
    from: shownFrom.toISOString(),
    to: new Date(shownFrom.getTime() + shownDays * 24 * 60 * 60 * 1000).toISOString(),
    widgets: thirtyWidgets({ device_type: 112 }),
  })
  return { headers: { ...headers, 'content-type': 'application/json' }, body }
}

interface Round {
  alone: SideResult
  over: SideResult
  /** Milliseconds after the end of the load. */
  recovered: number
}

async function measureEntrance(bench: Bench, load: Load): Promise<Round[]> {
  const { generator, settings, progress, service, db } = bench
  const databaseClock = await openDatabaseClock(db)
  const measure = (asked: Load) =>
    measureSide(generator, { name: asked.path, process: service, load: asked, databaseClock })
  const rounds: Round[] = []
  for (let round = 0; round < settings.rounds; round += 1) {
    const alone = await measure(load)
    const rate = times * alone.perSecond
    const seconds = longer * load.seconds
    const running = measure({ ...load, rate, seconds, connections: crowd, leavesOut: true })
    // From here on, what was sent before is still under way.
    const [over, usualAt] = await Promise.all([
      running,
      sleep(seconds * 1000).then(() => untilUsual(bench, running)),
    ])
    const recovered = usualAt - (over.endedAt ?? usualAt)
    rounds.push({ alone, over, recovered })
    progress(
      `${load.path}: ${format(alone.perSecond)}/s, ${format(over.perSecond)}/s under ten times that, ` +
        `refused ${tellRefusals(over)}, as usual after ${format(recovered)} ms`,
    )
  }
  return rounds
}

function figuresOf(name: string, rounds: readonly Round[], seconds: number): Figure[] {
  const middle = (take: (round: Round) => number) => format(median(rounds.map(take)))
  const sent = middle(({ over }) => (over.acknowledged + over.refused) / (longer * seconds))
  const leftOut = middle(({ over }) => (over.leftOut ?? 0) / (longer * seconds))
  const [alone, over] = [rounds.map((round) => round.alone), rounds.map((round) => round.over)]
  return [
    {
      name: `overload: ${name}`,
      ours: `${middle(({ over }) => over.perSecond)}/s`,
      baseline: `${middle(({ alone }) => alone.perSecond)}/s (as many as it can take)`,
      ratios: rounds.map(({ alone, over }) => over.perSecond / alone.perSecond),
      target: { word: 'at least', value: 0.8 },
      notes: `sent ${sent} a second, while ${leftOut} found all connections busy; refused ${over.map(tellRefusals).join(', ')}; p99 ${middle(({ over }) => over.p99)} ms; CPU per answer ${costOf(over)}, ${costOf(alone)} without the crowd`,
    },
    {
      name: `overload: ${name}, until it is as usual`,
      ours: `${middle(({ recovered }) => recovered)} ms`,
      baseline: 'from the end of the load',
      ratios: rounds.map(({ recovered }) => recovered / 1000),
      target: { word: 'at most', value: 5, unit: ' s' },
      notes: `${inARow} requests in a row within ${usual} ms`,
    },
  ]
}

function tellRefusals({ statuses }: LoadResult): string {
  return tellStatuses(Object.entries(statuses)) ?? '0'
}

/** Resolves with the time when it is as usual after the end of the load, in milliseconds since 1970. */
async function untilUsual(
  { service: { target, headers } }: Bench,
  load: Promise<LoadResult>,
): Promise<number> {
  const url = `http://${target.host}:${target.port}/v1/devices/all/uplink?page=1`
  let endedAt: number | undefined
  const end = (time: number) => {
    endedAt = time
  }
  // Known once all answers are there.
  load.then((result) => end(result.endedAt ?? 0)).catch(() => end(0))
  /** When the last requests began, as long as they are good. */
  let good: number[] = []
  const found: { began: number; at: number }[] = []
  for (;;) {
    const after = endedAt
    const first = after === undefined ? undefined : found.find(({ began }) => began >= after)
    if (first) return first.at
    const began = Date.now()
    const status = await fetch(url, { headers }).then(
      (answer) => answer.arrayBuffer().then(() => answer.status),
      () => 0,
    )
    good = status === 200 && Date.now() - began < usual ? [...good, began].slice(-inARow) : []
    const [oldest] = good
    if (oldest !== undefined && good.length === inARow)
      found.push({ began: oldest, at: Date.now() })
    await sleep(20)
  }
}
