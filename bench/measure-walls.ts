import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from './bench.ts'
import { format, median, type Result } from './figures.ts'
import { connectNetwork, registerDevices } from './fleet.ts'
import type { LoadResult } from './generator.ts'
import { thirtyWidgets } from './measure-dashboard.ts'
import { run } from './measure-load.ts'
import { analyzeRollups, fillRollups } from './measure-measurements.ts'
import { deviceEui } from './uplink-message.ts'

const screens = 50
/** Milliseconds between two questions of a screen, as in the console. */
const interval = 15_000
const days = 30
const shownDevices = 100
const devices = 1000
const connections = 256

/** What the screens were answered. */
interface Seen {
  answers: number
  refused: number
  kilobytes: number
  widgets: number
  unchanged: number
}

/** The rate of ingest while walls show what is stored, against the same load alone. */
export async function measureWalls(bench: Bench): Promise<Result> {
  const { service, settings, progress } = bench
  const { path, headers } = await connectNetwork(service)
  await registerDevices(bench.db, shownDevices)
  await fillRollups(bench, 1, new Date(thisHour() - days * 24 * 3_600_000), days)
  await registerDevices(bench.db, devices)
  await analyzeRollups(bench)
  const address = await share(bench)
  // Within a minute everything is read again.
  const seconds = settings.isQuick ? settings.seconds : 60
  const lead = settings.isQuick ? 3000 : interval
  const load = { target: service.target, method: 'POST', path, headers, connections }
  const measure = () => run(bench.generator, { ...load, uplinksOf: devices, seconds })
  const rounds: { alone: LoadResult; beside: LoadResult }[] = []
  let seen: Seen = { answers: 0, refused: 0, kilobytes: 0, widgets: 0, unchanged: 0 }
  await measure()
  for (let round = 1; round <= settings.rounds; round += 1) {
    const alone = await measure()
    const over = new AbortController()
    const walls = showWalls(address, lead, over.signal)
    // Screens that have just opened read everything.
    await sleep(lead)
    const beside = await measure()
    over.abort()
    seen = await walls
    rounds.push({ alone, beside })
    progress(`walls, round ${round}: ${format(beside.perSecond)}/s beside ${JSON.stringify(seen)}`)
  }
  const rates = (key: 'alone' | 'beside') => rounds.map((round) => round[key].perSecond)
  const p99 = median(rounds.map(({ beside }) => beside.p99))
  return {
    figures: [
      {
        name: `durable ingest beside ${screens} screens of a dashboard of 30 widgets`,
        ours: `${format(median(rates('beside')))}/s`,
        baseline: `${format(median(rates('alone')))}/s alone`,
        ratios: rounds.map(({ alone, beside }) => beside.perSecond / alone.perSecond),
        target: { word: 'at least', value: 0.9 },
        notes: `p99 ${format(p99)} ms; the screens got ${JSON.stringify(seen)}`,
      },
    ],
    proofs: [
      {
        claim: 'no screen is refused, and each is answered',
        isTrue: seen.refused === 0 && seen.answers >= screens,
        details: `${seen.answers} answers, ${seen.refused} refused`,
      },
    ],
  }
}

function thisHour(): number {
  return Math.floor(Date.now() / 3_600_000) * 3_600_000
}

/** Makes the dashboard and its link; returns where screens read. */
async function share({ service }: Bench): Promise<string> {
  const euis = Array.from({ length: shownDevices }, (_, number) => deviceEui(number))
  const body = { name: 'Walls', range: '30d', widgets: thirtyWidgets({ devices: euis }) }
  const made = await service.call<{ data: { id: string } }>('POST', '/v1/dashboards', body)
  const link = await service.call<{ data: { url: string } }>(
    ...(['POST', `/v1/dashboards/${made.data.id}/links`, { name: 'Walls' }] as const),
  )
  const { origin, pathname } = new URL(link.data.url)
  return `${origin}/v1/shared-dashboards/${pathname.split('/').at(-1)}/data`
}

/** Screens that ask again and again, and say what they have. */
async function showWalls(address: string, lead: number, signal: AbortSignal): Promise<Seen> {
  const seen: Seen = { answers: 0, refused: 0, kilobytes: 0, widgets: 0, unchanged: 0 }
  const show = async (screen: number) => {
    let versions: string[] = []
    const pause = (milliseconds: number) =>
      sleep(milliseconds, undefined, { signal }).catch(() => undefined)
    await pause((screen * lead) / screens)
    while (!signal.aborted) {
      const answer = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ versions }),
      })
      const text = await answer.text()
      seen[answer.ok ? 'answers' : 'refused'] += 1
      seen.kilobytes += Math.round(text.length / 1024)
      versions = [...text.matchAll(/"version":"([^"]+)"/g)].map(([, version = '']) => version)
      seen.widgets += versions.length
      seen.unchanged += text.match(/"unchanged":true/g)?.length ?? 0
      await pause(interval)
    }
  }
  await Promise.all(Array.from({ length: screens }, (_, screen) => show(screen)))
  return seen
}
