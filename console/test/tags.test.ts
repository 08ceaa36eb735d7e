import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { enterAs, makeMember } from './members.ts'
import { startConsole } from './open-console.ts'
import { checkAccessibility, settle } from './open-page.ts'

const console = await startConsole({ after }, { networks: ['chirpstack'], devices: 4 })
const [first, second] = (await console.call('GET', '/fleet/devices?sort=device_id')).body.data
const { gateway } = (
  await console.call('POST', '/gateways', {
    ...{ gateway_bridge: 'other', gateway_name: 'Roof', gateway_eui: '00AA0000000000E1' },
    tags: { owner: 'city' },
  })
).body

const setTags = (tags: object) => console.call('PATCH', `/devices/${first.device_id}`, { tags })
const tagsOf = async (path: string) => (await console.call('GET', path)).body.data.tags

test('tags of a device are seen, added, changed and removed, only by keyboard', async () => {
  await setTags({ floor: '1' })
  const page = await console.enter(`/devices/${first.device_id}`)
  await page.getByRole('link', { name: 'floor: 1' }).waitFor()
  await page.getByRole('button', { name: 'Edit tags' }).focus()
  await page.keyboard.press('Enter')
  const field = page.getByRole('combobox', { name: 'Tags' })
  await field.waitFor()
  assert.equal(await field.evaluate((node) => node === document.activeElement), true)
  await page.keyboard.type('floor:2')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Hotel:Süd: Turm')
  await page.keyboard.press('Enter')
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Save', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Hotel: Süd: Turm' }).waitFor()
  const path = `/fleet/devices/${first.device_id}`
  assert.deepEqual(await tagsOf(path), { floor: '2', Hotel: 'Süd: Turm' })

  await page.getByRole('button', { name: 'Edit tags' }).click()
  await page.getByRole('combobox', { name: 'Tags' }).focus()
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Hotel: Süd: Turm' }).waitFor()
  await page.getByRole('button', { name: 'Edit tags' }).click()
  await page.getByRole('combobox', { name: 'Tags' }).focus()
  await page.keyboard.press('Backspace')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('link', { name: 'Hotel: Süd: Turm' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'floor: 2' }).waitFor()
  assert.deepEqual(await tagsOf(path), { floor: '2' })
})

test('a refused tag stays in its field with the reason', async () => {
  await setTags({})
  const page = await console.enter(`/devices/${first.device_id}`)
  await page.getByRole('button', { name: 'Edit tags' }).click()
  await page.getByRole('combobox', { name: 'Tags' }).fill('k'.repeat(65))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText(/must be one line of 1 to 64 characters/).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Edit tags' }).waitFor()
})

test('a tag opens the list of all that have it', async () => {
  await setTags({ floor: '9' })
  const page = await console.enter(`/devices/${first.device_id}`)
  await page.getByRole('link', { name: 'floor: 9' }).click()
  await page.getByText('1 device matches').waitFor()
  await page.getByRole('button', { name: 'Remove the filter Tags: floor:9' }).click()
  await page.getByText('4 devices', { exact: true }).waitFor()
})

test('the tags of a gateway are changed on its page, and filter its list', async () => {
  const page = await console.enter(`/gateways/${gateway.id}`)
  await page.getByRole('button', { name: 'Edit tags' }).click()
  await page.getByRole('combobox', { name: 'Tags' }).fill('mast:4')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('link', { name: 'mast: 4' }).click()
  await page.getByText('1 gateway', { exact: true }).waitFor()
  assert.match(page.url(), /tag=mast(:|%3A)4/)
  assert.deepEqual(await tagsOf(`/fleet/gateways/${gateway.id}`), { owner: 'city', mast: '4' })
})

test('a list is filtered by several tags, and keeps its columns and views for the user', async () => {
  const body = { tags: { owner: 'city', mast: '4' } }
  await console.call('PATCH', `/gateways/${gateway.id}`, body)
  const page = await console.enter('/gateways')
  await page.getByRole('combobox', { name: 'Tags' }).click()
  await page.getByRole('option', { name: 'owner:city', exact: true }).click()
  await page.getByRole('option', { name: 'mast:4', exact: true }).click()
  await page.waitForURL(/tag=owner%3Acity%2Cmast%3A4/)
  await page.getByText('1 gateway', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'First heard' }).click()
  await page.getByRole('columnheader', { name: 'First heard' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByLabel('Save what is shown as').fill('Masts')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('link', { name: 'Masts', exact: true }).waitFor()
  await settle(page)
  await checkAccessibility(page)
  const other = await console.enter('/gateways')
  await other.getByRole('button', { name: 'Views' }).click()
  await other.getByRole('link', { name: 'Masts', exact: true }).click()
  await other.waitForURL(/tag=owner%3Acity%2Cmast%3A4/)
  await other.getByRole('columnheader', { name: 'First heard' }).waitFor()
})

test('chosen devices are tagged, and tags taken from them', async () => {
  await setTags({ floor: '1' })
  const page = await console.enter('/devices?sort=device_id')
  const run = async (item: string, field: string, text: string, verb: string) => {
    await page.locator('[data-index="0"] input').check()
    await page.locator('[data-index="1"] input').check()
    await page.getByRole('button', { name: 'Tags' }).click()
    await page.getByRole('menuitem', { name: item }).click()
    await page.getByRole('dialog').getByRole('combobox', { name: field }).fill(text)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: `${verb} 2 devices` }).click()
    await page.getByText('2 of 2 done', { exact: true }).waitFor()
  }
  await run('Add tags', 'Tags', 'building:A', 'Tag')
  assert.equal((await tagsOf(`/fleet/devices/${first.device_id}`)).building, 'A')
  const before = await tagsOf(`/fleet/devices/${second.device_id}`)
  assert.equal(before.building, 'A')
  await page.reload()
  await run('Remove tags', 'Keys of the tags', 'building', 'Remove from')
  const { building: _, ...others } = before
  assert.deepEqual(await tagsOf(`/fleet/devices/${second.device_id}`), others)
})

test('a reader sees tags as text', async () => {
  await setTags({ floor: '3' })
  await makeMember(console, 'reader@example.test')
  const page = await enterAs(console, 'reader@example.test', `/devices/${first.device_id}`)
  await page.getByRole('link', { name: 'floor: 3' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Edit tags' }).count(), 0)
})
