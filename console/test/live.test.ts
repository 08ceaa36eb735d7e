import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startConsole, type TestConsole } from './open-console.ts'
import { checkAccessibility } from './open-page.ts'

const eui = '00AA000000000001'
const patience = { timeout: 60_000 }

/** Sends uplinks of the device, one after the other. */
async function send(console: TestConsole, count: number): Promise<void> {
  const [network] = console.simulators
  for (let sent = 0; sent < count; sent += 1) await network?.simulator.sendUplink(eui)
}

/** The frame counters of the rows, from the top. The window is high enough for all of them. */
function countersOf(page: Page): Promise<number[]> {
  return page.locator('tbody tr').evaluateAll((rows) =>
    rows
      .map((row) => [Number(row.getAttribute('data-index')), row.lastElementChild?.textContent])
      .sort(([one], [other]) => Number(one) - Number(other))
      .map(([, counter]) => Number(counter)),
  )
}

async function storedCounters(console: TestConsole): Promise<number[]> {
  const { body } = await console.call('GET', `/fleet/uplinks?device=${eui}&limit=1000`)
  return body.data.map(({ f_cnt }: { f_cnt: number }) => f_cnt)
}

async function untilEqual(page: Page, console: TestConsole): Promise<void> {
  const giveUpAt = Date.now() + patience.timeout
  for (;;) {
    const [shown, stored] = [await countersOf(page), await storedCounters(console)]
    if (JSON.stringify(shown) === JSON.stringify(stored)) return
    if (Date.now() > giveUpAt) assert.deepEqual(shown, stored)
    await page.waitForTimeout(100)
  }
}

/** Presses Tab until the focus is on what has this name. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let count = 0; count < 60; count += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const element = document.activeElement
      return element?.getAttribute('aria-label') ?? element?.textContent ?? ''
    })
    if (name.test(focused)) return
  }
  assert.fail(`the keyboard does not reach ${name}`)
}

const filtered = `/uplinks?device=${eui}`

test('uplinks come by themselves; none is lost or shown twice when the connection is', async (t) => {
  const console = await startConsole(t, { networks: ['chirpstack'], devices: 2 })
  await send(console, 3)
  const page = await console.enter(filtered, { height: 2400 })
  const live = page.getByRole('status').filter({ hasText: /^Live$/ })
  await live.waitFor()
  await untilEqual(page, console)
  await send(console, 5)
  await untilEqual(page, console)

  await page.context().setOffline(true)
  await page.getByText('Reconnecting…').waitFor(patience)
  await send(console, 12)
  await page.getByText(/^Offline since \d\d:\d\d$/).waitFor(patience)
  await page.context().setOffline(false)
  await send(console, 5)
  await live.waitFor(patience)
  await untilEqual(page, console)
  await send(console, 2)
  await untilEqual(page, console)
})

test('the same only by keyboard, and one uplink opened', async (t) => {
  const console = await startConsole(t, { networks: ['chirpstack'], devices: 2 })
  await send(console, 3)
  const page = await console.enter('/', { height: 2400 })
  await tabTo(page, /^Uplinks$/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Uplinks', level: 1 }).waitFor()
  await tabTo(page, /^Search uplinks$/)
  await page.keyboard.type('0001')
  await page.waitForURL(/search=0001/)
  await untilEqual(page, console)

  await tabTo(page, /^Pause$/)
  await page.keyboard.press('Space')
  await send(console, 4)
  await page.getByRole('button', { name: '4 new' }).waitFor(patience)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await untilEqual(page, console)

  await page.context().setOffline(true)
  await page.getByText('Reconnecting…').waitFor(patience)
  await send(console, 6)
  await page.context().setOffline(false)
  await page
    .getByRole('status')
    .filter({ hasText: /^Live$/ })
    .waitFor(patience)
  await untilEqual(page, console)

  await tabTo(page, new RegExp(await firstName(page)))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Uplink' })
  await drawer.getByText('Frame counter').waitFor()
  await checkAccessibility(page)
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })
})

async function firstName(page: Page): Promise<string> {
  return (await page.locator('tbody tr button').first().textContent()) ?? ''
}

test('all tabs of a browser share one stream, and another tab goes on with it', async (t) => {
  const console = await startConsole(t, { networks: ['chirpstack'], devices: 1 })
  await send(console, 2)
  const first = await console.enter(filtered, { height: 2400 })
  const live = (page: Page) =>
    page
      .getByRole('status')
      .filter({ hasText: /^Live$/ })
      .waitFor()
  await live(first)
  let streams = 0
  first.context().on('request', (request) => {
    if (request.url().endsWith('/v1/events')) streams += 1
  })
  const second = await first.context().newPage()
  await second.setViewportSize({ width: 1280, height: 2400 })
  await second.goto(console.url + filtered)
  await live(second)
  await send(console, 3)
  await untilEqual(first, console)
  await untilEqual(second, console)
  assert.equal(streams, 0, 'the second tab has a stream of its own')
  await first.close()
  await send(console, 6)
  await untilEqual(second, console)
  assert.equal(streams, 1)
})

test('history is read on by scrolling, and filtered by its address', async (t) => {
  const console = await startConsole(t, { networks: ['chirpstack'], devices: 2 })
  await send(console, 4)
  const since = new Date(Date.now() - 3_600_000).toISOString()
  const page = await console.enter(`${filtered}&since=${encodeURIComponent(since)}`, {
    height: 2400,
  })
  await untilEqual(page, console)
  await page.getByText(/^4 uplinks shown/).waitFor()
  await page.getByRole('button', { name: `Remove the filter Device: ${eui}` }).click()
  await page.waitForURL((url) => !url.searchParams.has('device'))
  await page
    .locator('label')
    .filter({ hasText: /^Live$/ })
    .click()
  await page.waitForURL((url) => !url.searchParams.has('since'))
  await page.goBack()
  await page.getByRole('textbox', { name: 'From' }).waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: /CSV/ }).click()
  assert.equal((await download).suggestedFilename(), 'uplinks.csv')
})

test('the overview leads to what it counts, and to the first uplink', async (t) => {
  const console = await startConsole(t)
  const page = await console.enter('/')
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  await page.getByText('0 of 3 done').waitFor()
  await checkAccessibility(page)
  const other = await startConsole(t, { networks: ['chirpstack'], devices: 3 })
  await send(other, 1)
  const full = await other.enter('/')
  await full.getByRole('link', { name: /^Devices ?3/ }).waitFor()
  assert.equal(await full.getByRole('heading', { name: 'First steps' }).count(), 0)
  await full.getByRole('slider', { name: /Uplinks per hour/ }).focus()
  await full.keyboard.press('End')
  await full.keyboard.press('Enter')
  await full.waitForURL(/\/uplinks\?since=.*&until=/)
  await full.goBack()
  await full
    .getByRole('region', { name: 'In numbers' })
    .getByRole('link', { name: /^Devices/ })
    .click()
  await full.waitForURL(/\/devices/)
})

test('waits longer and longer for a service that accepts connections and closes them at once', async (t) => {
  const console = await startConsole(t, { networks: ['chirpstack'], devices: 1 })
  const page = await console.enter('/', {})
  const askedAt: number[] = []
  await page.route('**/v1/events*', async (route) => {
    askedAt.push(performance.now())
    await route.fulfill({ contentType: 'text/event-stream', body: 'event: ping\ndata: {}\n\n' })
  })
  // Ends the stream that is open.
  await page.evaluate(() => window.dispatchEvent(new Event('offline')))
  while (askedAt.length < 4) await page.waitForTimeout(50)
  const [, , third = 0, fourth = 0] = askedAt
  // The third wait is 1 to 2 s.
  assert.ok(fourth - third > 900, `${fourth - third} ms`)
})
