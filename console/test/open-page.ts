import assert from 'node:assert/strict'
import { after } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page, Request } from 'playwright-core'
import { closeBrowser, launchBrowser } from './browser.ts'

// One browser for all tests of a file.
after(closeBrowser)

export interface BrowserOptions {
  /** Other origins whose pages the test opens. */
  visits?: RegExp
  /** Pixels; 1280 by default. */
  width?: number
  height?: number
  colorScheme?: 'light' | 'dark'
  /** Console messages that the test expects, such as the browser's note of a refused request. */
  expects?: RegExp
}

/** Runs in the page: a violation of its policy becomes an error in its console. */
const reportViolations = `
  document.addEventListener('securitypolicyviolation', (event) => {
    console.error('CSP: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample)
  })`

/**
 * Opens a page in a browser profile of its own. At its end the test fails if the page violated its
 * content security policy, asked another host, threw an error, or wrote one to its console.
 */
export async function openPage(
  t: { after(end: () => Promise<void>): unknown },
  url: string,
  options: BrowserOptions = {},
): Promise<Page> {
  const context = await (await launchBrowser()).newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 900 },
    colorScheme: options.colorScheme ?? 'light',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  })
  const faults: string[] = []
  await context.addInitScript({ content: reportViolations })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const { host } = new URL(url)
  page.on('request', (request) => {
    const address = new URL(request.url())
    if (
      /^https?:$/.test(address.protocol) &&
      address.host !== host &&
      !options.visits?.test(address.origin)
    ) {
      faults.push(`The page asked another host: ${request.url()}`)
    }
  })
  watchRequests(page)
  page.on('pageerror', (error) => faults.push(`The page threw: ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    if (message.type() !== 'error' || options.expects?.test(message.text())) return
    // The browser notes each refused request; the tests check what the page makes of it.
    if (/^Failed to load resource/.test(message.text())) return
    faults.push(`The page wrote an error: ${message.text()}`)
  })
  t.after(async () => {
    await context.close()
    assert.deepEqual(faults, [])
  })
  await page.goto(url)
  return page
}

const openRequests = new WeakMap<Page, Set<Request>>()

function watchRequests(page: Page): void {
  const open = new Set<Request>()
  openRequests.set(page, open)
  page.on('request', (request) => {
    // The live stream never ends.
    if (!request.url().includes('/v1/events')) open.add(request)
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
}

/** Waits until the page has read what it shows: for 150 ms it has asked nothing. */
export async function settle(page: Page): Promise<void> {
  const open = openRequests.get(page)
  assert.ok(open, 'The page was not opened by openPage.')
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'hidden' })
  const deadline = Date.now() + 20_000
  for (let rests = 0; rests < 3; rests = open.size === 0 ? rests + 1 : 0) {
    assert.ok(Date.now() < deadline, `The page still waits for ${addressesOf(open)}.`)
    await page.waitForTimeout(50)
  }
}

function addressesOf(requests: Iterable<Request>): string {
  return Array.from(requests, (request) => request.url()).join(', ')
}

/**
 * Fails if axe finds a violation of WCAG 2.2 A or AA, or of its best practices, on the page. With
 * `rules`, only these are checked.
 */
export async function checkAccessibility(page: Page, rules?: readonly string[]): Promise<void> {
  // Without frames, axe need not open a page for its result. Elements without fault are not described.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await (rules ? axe.withRules([...rules]) : axe).analyze()
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.slice(0, 5).map(({ target, failureSummary }) => `${target}: ${failureSummary}`),
  }))
  assert.deepEqual(found, [], JSON.stringify(found, null, 2))
}

/** Fails if the page is wider than its window; `name` says which page it is. */
export async function checkWidth(page: Page, name: string): Promise<void> {
  const wider = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  assert.ok(wider <= 0, `${name} is ${wider} pixels wider than its window.`)
}

/** The texts of a form by their labels, and its lists that are not searched. */
export function fieldsOf(page: Page) {
  return {
    field: (name: string) => page.getByRole('textbox', { name }),
    async choose(name: string, option: RegExp) {
      await page.getByRole('combobox', { name }).press('Enter')
      await page.getByRole('option', { name: option }).click()
    },
  }
}

/** Words that are broken into two lines inside, unless they are code or longer than an EUI. */
export async function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const broken: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const parent = node.parentElement
      if (!parent?.checkVisibility({ visibilityProperty: true })) continue
      if (parent.closest('.visually-hidden, code, pre, script, style, noscript')) continue
      for (const { index, 0: word } of (node.textContent ?? '').matchAll(/[\p{L}\p{N}]{2,16}/gu)) {
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        if (lines.size > 1) broken.push(word)
      }
    }
    return broken
  })
}
