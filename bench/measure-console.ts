import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext } from 'playwright-core'
import { closeBrowser } from '../console/test/browser.ts'
import type { Bench } from './bench.ts'
import {
  logInBrowser,
  measureHeap,
  openSlowPage,
  slowdown,
  takeLongestTask,
} from './console-pages.ts'
import { type Figure, format, median, type Proof, type Result } from './figures.ts'
import { type Callback, connectNetwork, registerDevices } from './fleet.ts'
import { chirpStackUplink, messageWriter } from './uplink-message.ts'

const devices = 1000
/** Uplinks a second that a person watches. */
const liveRate = 50
const live = { quick: 10, full: 60 }
/** An hour of them, sent as fast as the service stores them; a tenth of it with --quick. */
const hour = 3600 * liveRate

/** What a person with a slow computer meets: the first page, and a live view of many uplinks. */
export async function measureConsole(bench: Bench): Promise<Result> {
  const callback = await connectNetwork(bench.service)
  await registerDevices(bench.db, devices)
  const context = await logInBrowser(bench.service)
  try {
    const start = await measureStart(bench, context)
    const watching = await measureWatching(bench, context, callback)
    return { figures: [...start, ...watching.figures], proofs: watching.proofs }
  } finally {
    await context.close()
    await closeBrowser()
  }
}

/** The overview, from the request to the moment in which it is shown and the processor is free. */
async function measureStart(
  { service, settings, progress }: Bench,
  context: BrowserContext,
): Promise<Figure[]> {
  const times: number[] = []
  let kilobytes = 0
  for (let round = 0; round < settings.rounds + 1; round += 1) {
    const slow = await openSlowPage(context)
    await slow.page.goto(`http://${service.target.host}:${service.target.port}/`, {
      waitUntil: 'commit',
    })
    await slow.page.getByRole('heading', { level: 1 }).waitFor()
    const time = await slow.page.evaluate<number>(
      'new Promise((resolve) => requestIdleCallback(() => resolve(performance.now())))',
    )
    // The first round fills the caches of the service and of the browser's compiler.
    if (round > 0) times.push(time)
    progress(`interactive after ${format(time)} ms`)
    await sleep(1500)
    kilobytes = slow.bytesReceived() / 1000
    await slow.page.close()
  }
  const name = `console: overview interactive, processor ${slowdown} times slower`
  return [
    limitFigure(name, times, { value: 1500, unit: ' ms' }, `${devices} devices`),
    limitFigure('console: first load, compressed', [kilobytes], { value: 300, unit: ' kB' }, ''),
  ]
}

/** The live view of uplinks: how long it holds the processor, and what it keeps in memory. */
async function measureWatching(
  bench: Bench,
  context: BrowserContext,
  callback: Callback,
): Promise<Result> {
  const { service, settings, progress } = bench
  const slow = await openSlowPage(context)
  await slow.page.goto(`http://${service.target.host}:${service.target.port}/uplinks`)
  await slow.page.getByRole('heading', { level: 1 }).waitFor()
  await sleep(2000)
  const send = makeSender(bench, callback)
  await send(1500, { perSecond: liveRate * 10 })
  await takeLongestTask(slow.page)
  const seconds = settings.isQuick ? live.quick : live.full
  await send(seconds * liveRate, { perSecond: liveRate })
  const longest = await takeLongestTask(slow.page)
  progress(`longest task at ${liveRate} uplinks a second: ${format(longest)} ms`)
  await slow.session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  const before = await measureHeap(slow)
  const count = settings.isQuick ? hour / 10 : hour
  await send(count, {})
  await sleep(3000)
  const after = await measureHeap(slow)
  const growth = (after - before) / 1e6
  progress(`heap ${format(before / 1e6)} MB before, ${format(after / 1e6)} MB after ${count}`)
  const shown = await slow.page.locator('[role=row], tbody tr').count()
  const live50 = `console: longest task at ${liveRate} live uplinks a second, slowed`
  const memory = `console: memory after ${count} live uplinks, growth`
  return {
    figures: [
      limitFigure(live50, [longest], { value: 100, unit: ' ms' }, `${seconds} s`),
      limitFigure(memory, [growth], { value: 5, unit: ' MB' }, `from ${format(before / 1e6)} MB`),
    ],
    proofs: [proveShown(shown)],
  }
}

function makeSender({ service }: Bench, callback: Callback) {
  const write = messageWriter(Buffer.from(chirpStackUplink.text), { devices })
  const address = `http://${service.target.host}:${service.target.port}${callback.path}`
  const post = async () => {
    const body = Buffer.from(chirpStackUplink.text)
    write(body)
    const answer = await fetch(address, { method: 'POST', headers: callback.headers, body })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`an uplink was answered ${answer.status}`)
  }
  /** Sends `count` uplinks, at a rate or 32 at a time. */
  return async (count: number, { perSecond }: { perSecond?: number }) => {
    let sent = 0
    const begin = performance.now()
    const work = async () => {
      while (sent < count) {
        sent += 1
        const due = perSecond === undefined ? 0 : begin + (sent / perSecond) * 1000
        const wait = due - performance.now()
        if (wait > 0) await sleep(wait)
        await post()
      }
    }
    await Promise.all(Array.from({ length: perSecond === undefined ? 32 : 4 }, work))
  }
}

function proveShown(rows: number): Proof {
  return {
    claim: 'the live view shows uplinks',
    isTrue: rows > 10,
    details: `${rows} rows`,
  }
}

function limitFigure(
  name: string,
  values: number[],
  { value, unit }: { value: number; unit: string },
  notes: string,
): Figure {
  return {
    name,
    ours: `${format(median(values))}${unit}`,
    baseline: '',
    ratios: values,
    target: { word: 'at most', value, unit },
    notes,
  }
}
