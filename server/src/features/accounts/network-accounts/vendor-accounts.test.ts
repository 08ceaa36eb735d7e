import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSimulator } from '../../../../simulators/chirpstack/simulator.ts'
import { startTestService } from '../../../../test/service.ts'
import { applyVendorAccounts, readVendorAccounts } from './vendor-accounts.ts'

const path = '/v1/network-accounts/chirpstack?register_method=vendor'

test('the operator’s accounts are what the settings say', async (t) => {
  const simulator = await startSimulator()
  t.after(() => simulator.close())
  const service = await startTestService(t)
  const read = readVendorAccounts(JSON.stringify({ network_key_9: simulator.account }))
  assert.ok('accounts' in read, JSON.stringify(read))
  await applyVendorAccounts(service.services, read.accounts)
  const { data } = (await service.call('GET', path)).body
  assert.equal(data.status, 'connected', data.message)
  assert.equal(data.account.server, simulator.server)

  await applyVendorAccounts(service.services, read.accounts)
  const again = (await service.call('GET', path)).body.data
  assert.deepEqual(again, data, 'the callback stays the same')

  const [account] = read.accounts
  assert.ok(account)
  const changed = { ...account, values: { ...account.values, api_key: 'wrong' } }
  await applyVendorAccounts(service.services, [changed])
  assert.equal((await service.call('GET', path)).body.data.status, 'refused')
})

test('all mistakes in the setting are told at once', () => {
  const account = { server: 'ftp://x', api_key: 'k', tenant_id: '1', application_id: '2' }
  const read = readVendorAccounts(JSON.stringify({ chirpstack: account, nowhere: {}, other: 3 }))
  assert.ok('mistakes' in read)
  assert.deepEqual(read.mistakes, [
    'is wrong at chirpstack: The Device profile ID field is required.',
    'names nowhere, which is no network that has accounts.',
    'names other, which is no network that has accounts.',
  ])
  for (const text of ['{', '[]', '3']) assert.ok('mistakes' in readVendorAccounts(text), text)
})
