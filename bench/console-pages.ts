import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { launchBrowser } from '../console/test/browser.ts'
import type { Service } from './service.ts'

/** How many times slower the processor of the browser is made. */
export const slowdown = 4

/** A browser in which the service's owner is logged in. */
export async function logInBrowser({ target, credentials }: Service): Promise<BrowserContext> {
  const context = await (await launchBrowser({ isWhole: true })).newContext({
    viewport: { width: 1280, height: 900 },
  })
  const page = await context.newPage()
  await page.goto(`http://${target.host}:${target.port}/login`)
  await page.getByLabel('E-mail').fill(credentials.email)
  await page.locator('input[autocomplete=current-password]').fill(credentials.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' })
  await page.close()
  return context
}

export interface SlowPage {
  page: Page
  session: CDPSession
  /** Bytes received since the page was made, with headers, as compressed. */
  bytesReceived(): number
}

/** Runs in the page: remembers the longest task. */
const recordTasks = `
  let longest = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
  }).observe({ type: 'longtask', buffered: true })
  window.takeLongest = () => {
    const taken = longest
    longest = 0
    return taken
  }`

/** A page on a slow processor, with an empty cache. */
export async function openSlowPage(context: BrowserContext): Promise<SlowPage> {
  const page = await context.newPage()
  // Chromium loads the scripts of its own window in a new page's first second.
  await sleep(2000)
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await page.addInitScript({ content: recordTasks })
  return { page, session, bytesReceived: () => bytes }
}

/** Milliseconds of the longest task of more than 50 ms since the last call; 0 without one. */
export async function takeLongestTask(page: Page): Promise<number> {
  return page.evaluate<number>('takeLongest()')
}

/** Bytes of the page's JavaScript objects that are still used. */
export async function measureHeap({ session }: SlowPage): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize
}
