import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Chromium as Debian and others install it. */
const wholePlaces = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The same without a window of its own: it takes a quarter less CPU, and has no camera. */
const shellPlaces = ['/usr/bin/chromium-headless-shell']

interface LaunchOptions {
  /** Further arguments. */
  args?: readonly string[]
  /** Chromium as people have it, also where its shell is installed. */
  isWhole?: boolean
}

let browser: Promise<Browser> | undefined

/**
 * Starts Chromium once per process; the first call says how. CHROMIUM names the place of another
 * one.
 */
export function launchBrowser({
  args = [],
  isWhole = false,
}: LaunchOptions = {}): Promise<Browser> {
  const places = isWhole ? wholePlaces : [...shellPlaces, ...wholePlaces]
  const executablePath = process.env.CHROMIUM ?? places.find((place) => existsSync(place))
  assert.ok(executablePath, 'Chromium is missing: apt-get install chromium, or set CHROMIUM.')
  browser ??= chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', ...args] })
  return browser
}

/** Without it the process of a test or of a measure does not end. */
export async function closeBrowser(): Promise<void> {
  const running = browser
  browser = undefined
  await (await running)?.close()
}
