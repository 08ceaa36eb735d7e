import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startConsole } from './open-console.ts'
import { checkAccessibility } from './open-page.ts'

const console = await startConsole({ after }, { networks: ['chirpstack'], devices: 1 })

const field = (page: Page, name: string) => page.getByRole('textbox', { name })
const restored = (page: Page) => page.getByText('Your unsaved changes are here')

test('a codec that was not saved is there after leaving and after a reload', async (t) => {
  const page = await console.enter('/device-types/new')
  t.after(() => page.close())
  await field(page, 'Name').first().fill('Level probe')
  await field(page, 'Codec in JavaScript').click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('function decodeUplink() { return { data: { mine: 1 } } }')
  await page.getByRole('navigation').getByRole('link', { name: 'Devices', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor()
  await page.goBack()
  await restored(page).waitFor()
  await checkAccessibility(page)
  await page.reload()
  await restored(page).waitFor()
  assert.equal(await field(page, 'Name').first().inputValue(), 'Level probe')
  await page.getByText('mine: 1').waitFor()

  await page.getByRole('button', { name: 'Start over' }).click()
  await restored(page).waitFor({ state: 'hidden' })
  assert.equal(await field(page, 'Name').first().inputValue(), '')
  await page.reload()
  await page.getByText('bytes[0]').waitFor()
  assert.equal(await restored(page).count(), 0)
})

test('a half-filled registration is there again, without its keys', async (t) => {
  const key = '00112233445566778899AABBCCDDEEFF'
  const page = await console.enter('/register?network=chirpstack')
  t.after(() => page.close())
  await field(page, 'Name').fill('Barn door')
  await field(page, 'DevEUI').fill('00AA0000000000D1')
  await field(page, 'Device key').fill(key)
  await page.getByRole('navigation').getByRole('link', { name: 'Devices', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor()
  await page.goBack()
  await page.getByText('Keys and passwords are not kept').waitFor()
  await page.reload()
  await restored(page).waitFor()
  assert.equal(await field(page, 'Name').inputValue(), 'Barn door')
  assert.equal(await field(page, 'DevEUI').inputValue(), '00AA0000000000D1')
  assert.equal(await field(page, 'Device key').inputValue(), '')
  const stored = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))
  assert.match(stored, /Barn door/)
  assert.doesNotMatch(stored, new RegExp(key))
})

test('a registered gateway leaves no draft, and logging out leaves none at all', async (t) => {
  const page = await console.enter('/gateways/register?network=chirpstack')
  t.after(() => page.close())
  await field(page, 'Name').fill('Roof')
  await field(page, 'Gateway EUI').fill('00AA0000000000E1')
  await page.reload()
  await restored(page).waitFor()
  await page.getByRole('button', { name: 'Register gateway' }).click()
  await page.getByRole('heading', { level: 1, name: 'Roof' }).waitFor()
  const drafts = () =>
    page.evaluate(() => Object.keys(sessionStorage).filter((name) => name.startsWith('draft')))
  assert.deepEqual(await drafts(), [])
  await page.goto(`${console.url}/gateways/register?network=chirpstack`)
  await field(page, 'Name').fill('Mast')
  assert.equal((await drafts()).length, 1)
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByLabel('E-mail').waitFor()
  assert.deepEqual(await drafts(), [])
})

test('a dialog that was closed by a reload goes on, and its Cancel gives it up', async (t) => {
  const page = await console.enter('/alerts/rules')
  t.after(() => page.close())
  const open = async () => {
    await page.getByRole('button', { name: 'New rule' }).first().click()
    return page.getByRole('dialog')
  }
  await (await open()).getByLabel('Name').fill('Cold room')
  await page.reload()
  const dialog = await open()
  await restored(page).waitFor()
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Cold room')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  assert.equal(await (await open()).getByLabel('Name').inputValue(), '')
})

test('notes that were not saved are in their field again', async (t) => {
  const [device] = (await console.call('GET', '/fleet/devices')).body.data
  const page = await console.enter(`/devices/${device.device_id}`)
  t.after(() => page.close())
  await page.getByRole('button', { name: /^Edit notes/ }).click()
  await field(page, 'notes').fill('The key is with Ann.')
  await page.reload()
  await page.waitForFunction(() =>
    [...document.querySelectorAll('textarea')].some(
      ({ value }) => value === 'The key is with Ann.',
    ),
  )
})

test('a configuration that was not sent is in its form again', async (t) => {
  const [device] = (await console.call('GET', '/fleet/devices')).body.data
  const page = await console.enter(`/devices/${device.device_id}?tab=downlinks`)
  t.after(() => page.close())
  const open = async () => {
    await page.getByRole('button', { name: 'Configure' }).click()
    await page.getByRole('dialog').getByText('General', { exact: true }).click()
  }
  await open()
  const period = page.getByRole('combobox', { name: 'Supervisory period' })
  await period.click()
  await page.getByRole('option', { name: '5 minutes', exact: true }).click()
  await page.reload()
  await open()
  await restored(page).waitFor()
  assert.equal(await period.inputValue(), '5 minutes')
})
