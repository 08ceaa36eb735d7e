import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownerPassword, startConsole } from './open-console.ts'

test('makes a token on demand, fills it into the examples, and ends it', async (t) => {
  const console = await startConsole(t)
  const page = await console.enter('/api?search=fleet%2Fnetworks')
  await page.getByRole('button', { name: /GET \/fleet\/networks/ }).click()
  const request = page.locator('pre').filter({ hasText: 'curl' })
  assert.match(await request.innerText(), /Authorization: Bearer \$TOKEN/)
  await page.getByRole('button', { name: 'Create a token' }).click()
  await page.getByLabel('Your password').fill('wrong')
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await page.getByLabel('Your password').fill(ownerPassword)
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('button', { name: 'Revoke token' }).waitFor()
  const command = await request.innerText()
  const [, token = ''] = /Bearer ([\w|.-]+)/.exec(command) ?? []
  const [, url = ''] = /'(http[^']+)'/.exec(command) ?? []
  const headers = { authorization: `Bearer ${token}`, organization: '1' }
  assert.equal(url, `${console.url}/v1/fleet/networks`)
  assert.equal((await fetch(url, { headers })).status, 200)
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await page.getByRole('button', { name: 'Create a token' }).waitFor()
  assert.equal((await fetch(url, { headers })).status, 401)
  // The browser's own session goes on.
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'API' }).waitFor()
})

test('activity tells who changed what, and links to it', async (t) => {
  const console = await startConsole(t, { networks: ['chirpstack'], devices: 2 })
  const { body } = await console.call('GET', '/fleet/devices')
  const [device] = body.data
  await console.call('PATCH', `/devices/${device.device_id}`, { device_name: 'Renamed' })
  const page = await console.enter('/activity')
  const row = page.getByRole('row').filter({ hasText: 'Device changed' })
  await row.getByText('name', { exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Group', exact: true }).click()
  await page.getByRole('heading', { name: 'No matching activity' }).waitFor()
  await page.goBack()
  await row.getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor()
})

test('activity shows refusals, checks the chain of the records, and exports it', async (t) => {
  const console = await startConsole(t)
  const permissions: string[] = []
  const made = await console.call('POST', '/api-keys', { name: 'Shop', permissions })
  const refused = await fetch(`${console.url}/v1/device-groups`, {
    method: 'POST',
    headers: { authorization: `Bearer ${made.body.data.key}` },
  })
  assert.equal(refused.status, 403)
  const page = await console.enter('/activity')
  const row = page.getByRole('row').filter({ hasText: 'POST /device-groups (403)' })
  await row.getByText('Key Shop').waitFor()
  await page.getByRole('combobox', { name: 'Outcome' }).click()
  await page.getByRole('option', { name: 'Done', exact: true }).click()
  await row.waitFor({ state: 'detached' })
  const chain = page.getByRole('status', { name: 'Audit log' })
  await chain.getByText('Audit log verified').or(chain.getByText('No records')).waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'JSON lines, to verify' }).click()
  assert.equal((await download).suggestedFilename(), 'activity.ndjson')
})
