import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { closeBrowser } from '../console/test/browser.ts'
import { settleStates } from '../server/test/device-states.ts'
import type { Bench } from './bench.ts'
import { logInBrowser, openSlowPage, slowdown } from './console-pages.ts'
import { type Figure, format, median, type Result } from './figures.ts'
import { type Fleet, makeFleet, registerDevices } from './fleet.ts'

const devices = 100_000
/** Frames of one scroll, and the pixels of each: a hasty wheel, and a dragged scroll bar. */
const scrolls = [
  { name: 'a wheel', frames: 300, pixels: 240 },
  { name: 'a dragged bar', frames: 200, pixels: 15_000 },
] as const

/** The table of all devices, on a slow processor: how long its longest frame is while it is scrolled. */
export async function measureConsoleTable(bench: Bench): Promise<Result> {
  const { db, service, settings, progress } = bench
  const fleet = await makeFleet(bench, '00aa00ce')
  await registerDevices(db, devices, fleet)
  await tellStates(bench, fleet)
  const context = await logInBrowser(service)
  try {
    const { page } = await openSlowPage(context)
    const begin = performance.now()
    await page.goto(
      `http://${service.target.host}:${service.target.port}/devices?org=${fleet.organizationId}`,
    )
    await page
      .getByRole('link', { name: /^Bench device/ })
      .first()
      .waitFor()
    progress(`${devices} devices shown after ${format(performance.now() - begin)} ms`)
    const rows = Number(await page.getByRole('table').getAttribute('aria-rowcount')) - 1
    const figures: Figure[] = []
    for (const scroll of scrolls) {
      const longest: number[] = []
      for (let round = 0; round < settings.rounds + 1; round += 1) {
        await page.evaluate(backToTop)
        await sleep(1000)
        const frame = await scrollTable(page, scroll)
        progress(`longest frame with ${scroll.name}: ${format(frame)} ms`)
        // In the first round the browser compiles.
        if (round > 0) longest.push(frame)
      }
      figures.push(frameFigure(scroll.name, longest))
    }
    const claim = 'the table has a row for every device'
    return { figures, proofs: [{ claim, isTrue: rows === devices, details: `${rows} rows` }] }
  } finally {
    await context.close()
    await closeBrowser()
  }
}

/** Gives every device a state, so that no column is empty. */
async function tellStates({ db }: Bench, { organizationId }: Fleet): Promise<void> {
  await db.query(
    `update device_states
     set last_seen = now() - device_id % 5000 * interval '1 minute', uplink_count = 100,
       status = jsonb_build_object('battery', '2.' || device_id % 10 || 'V',
         'low_battery', case when device_id % 20 = 0 then 'Yes' else 'No' end, 'tamper', 'No',
         'config_error', 'No', 'current_sensor_state', 'Open')
     where organization_id = $1`,
    [organizationId],
  )
  await settleStates(db)
  await db.query('vacuum (analyze) device_states')
}

const scroller = `document.querySelector('table[aria-rowcount]').parentElement`
const backToTop = `${scroller}.scrollTop = 0`

/** Scrolls by so many pixels in each frame, and returns the milliseconds of the longest frame. */
async function scrollTable(
  page: Page,
  { frames, pixels }: { frames: number; pixels: number },
): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const element = ${scroller}
    let left = ${frames}
    let longest = 0
    let last
    const step = (now) => {
      if (last !== undefined) longest = Math.max(longest, now - last)
      last = now
      // At rest the rows in sight are read and shown, which counts too.
      if (left > 0) element.scrollTop += ${pixels}
      left -= 1
      if (left > -60) requestAnimationFrame(step)
      else resolve(longest)
    }
    requestAnimationFrame(step)
  })`)
}

function frameFigure(name: string, values: number[]): Figure {
  return {
    name: `console: longest frame, ${devices} devices scrolled with ${name}, processor ${slowdown} times slower`,
    ours: `${format(median(values))} ms`,
    baseline: '',
    ratios: values,
    target: { word: 'at most', value: 50, unit: ' ms' },
    notes: '',
  }
}
