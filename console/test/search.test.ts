import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startConsole } from './open-console.ts'
import { checkAccessibility } from './open-page.ts'

test('Ctrl-K finds devices, pages and actions', async (t) => {
  const console = await startConsole(t, { networks: ['chirpstack'], devices: 3 })
  const page = await console.enter('/')
  const field = page.getByRole('combobox', { name: /Search devices/ })
  const chosen = page.getByRole('option', { selected: true })

  await page.keyboard.press('Control+k')
  await field.waitFor()
  await page.getByRole('group', { name: 'Actions' }).waitFor()
  await checkAccessibility(page)
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'hidden' })

  await t.test('a device by its DevEUI with dashes, in lower case', async () => {
    await page.keyboard.press('Control+k')
    await field.fill('00-aa-00-00-00-00-00-02')
    await page.getByRole('group', { name: 'Devices' }).getByRole('option').waitFor()
    assert.match((await chosen.textContent()) ?? '', /00AA000000000002/)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/devices\/00AA000000000002/)
  })

  await t.test('what was opened is found again at once', async () => {
    await page.keyboard.press('Control+k')
    const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option')
    assert.match((await recent.first().textContent()) ?? '', /00AA000000000002/)
  })

  await t.test('a page and an action by a word that is not in their title', async () => {
    await field.fill('battery')
    await page.getByRole('option', { name: /low battery/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/devices\?.*low_battery=yes/)
    await page.keyboard.press('Control+k')
    await field.fill('theme dark')
    await page.getByRole('option', { name: 'Theme: dark' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForSelector('html[data-mantine-color-scheme=dark]')
  })

  await t.test('a slow answer never replaces a newer one', async () => {
    await page.keyboard.press('Control+k')
    await page.route('**/fleet/devices?*search=front*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 800))
      await route.continue().catch(() => {})
    })
    await field.fill('front')
    await page.waitForTimeout(300)
    await field.fill('cellar')
    await page.waitForTimeout(1500)
    const found = page.getByRole('group', { name: 'Devices' }).getByRole('option')
    for (const text of await found.allTextContents()) assert.match(text, /cellar/i)
  })
})
