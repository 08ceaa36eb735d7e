import { test } from 'node:test'
import { startConsole } from './open-console.ts'
import { checkAccessibility, settle } from './open-page.ts'
import { pages } from './pages.ts'

const looks = [
  { name: 'light and dark', width: 1280, schemes: ['light', 'dark'] },
  { name: 'on a phone', width: 360, schemes: ['light'] },
] as const

for (const { name, width, schemes } of looks) {
  test(`axe finds nothing on any page, ${name}`, async (t) => {
    const console = await startConsole(t, { networks: ['chirpstack'], devices: 3 })
    for (const { simulator } of console.simulators) {
      for (const eui of simulator.deviceEuis()) await simulator.sendUplink(eui)
    }
    const page = await console.enter('/', { width })
    for (const { name: pageName, path } of pages) {
      await t.test(pageName, async () => {
        await page.emulateMedia({ colorScheme: 'light' })
        await page.goto(console.url + path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await settle(page)
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme })
          await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
          // The other rules do not depend on colours.
          await checkAccessibility(page, colorScheme === 'dark' ? ['color-contrast'] : undefined)
        }
      })
    }
  })
}
