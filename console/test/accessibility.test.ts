import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkAccessibility } from './browser.ts'
import { startConsole } from './open-console.ts'
import { pages } from './pages.ts'

interface Look {
  name: string
  width: number
  colorScheme: 'light' | 'dark'
  /** Rules of axe; all by default. */
  rules?: readonly string[]
}

const looks: readonly Look[] = [
  { name: 'light', width: 1280, colorScheme: 'light' },
  // The other rules do not depend on colours, and have just been tried on the same page.
  { name: 'dark', width: 1280, colorScheme: 'dark', rules: ['color-contrast'] },
  { name: 'on a phone', width: 360, colorScheme: 'light' },
]

for (const look of looks) {
  test(`axe finds nothing on any page, ${look.name}`, async (t) => {
    const console = await startConsole(t, { networks: ['chirpstack'], devices: 3 })
    for (const { simulator } of console.simulators) {
      for (const eui of simulator.deviceEuis()) await simulator.sendUplink(eui)
    }
    const page = await console.enter('/', look)
    for (const { name, path } of pages) {
      await t.test(name, async () => {
        await page.goto(console.url + path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await settle(page)
        await checkAccessibility(page, look.rules)
      })
    }
  })
}

/** Waits until the page has read what it shows. The live stream never ends, so it is never idle. */
async function settle(page: Page): Promise<void> {
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'hidden' })
  await page.waitForTimeout(300)
}
