import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startConsole } from './open-console.ts'
import { checkAccessibility } from './open-page.ts'

test('an API key is made, used, changed, rotated and revoked', async (t) => {
  const console = await startConsole(t)
  const page = await console.enter('/settings/api-keys')
  const read = async (key: string) => {
    const url = new URL('/v1/devices', page.url())
    return (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status
  }
  await page.getByText('No API keys yet').waitFor()
  await page.getByRole('button', { name: 'New API key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Night export')
  await dialog.getByLabel('Devices', { exact: true }).check()
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: 'Create' }).click()
  const key = await dialog.getByLabel('API key').inputValue()
  assert.match(key, /^lfc_1_/)
  await checkAccessibility(page)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Not used yet').waitFor()
  await checkAccessibility(page)
  assert.equal(await read(key), 200)

  await page.getByRole('button', { name: 'Change Night export' }).click()
  await dialog.getByLabel('Only from these addresses').fill('192.0.2.0/24')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('from 192.0.2.0/24').waitFor()
  assert.equal(await read(key), 403)
  await page.getByRole('button', { name: 'Change Night export' }).click()
  await dialog.getByLabel('Only from these addresses').fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('from 192.0.2.0/24').waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Rotate Night export' }).click()
  await page.getByRole('button', { name: 'Create another key' }).click()
  const next = await page.getByRole('textbox', { name: 'API key' }).inputValue()
  assert.notEqual(next, key)
  assert.deepEqual([await read(key), await read(next)], [200, 200])
  await page.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: 'Revoke Night export' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('No API keys yet').waitFor()
  assert.equal(await read(next), 401)
})

test('a network that is none is refused at its field', async (t) => {
  const console = await startConsole(t)
  const page = await console.enter('/settings/api-keys', { expects: /status of 422/ })
  await page.getByRole('button', { name: 'New API key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Wrong')
  await dialog.getByLabel('Only from these addresses').fill('example.test')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText(/must be an address or a range/).waitFor()
})
