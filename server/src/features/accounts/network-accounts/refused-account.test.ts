import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addBenchDevice,
  atNetwork,
  type Bench,
  queue,
  startBench,
} from '../../../../test/downlinks.ts'

async function readAccount({ service }: Bench) {
  const { body } = await service.call('GET', '/v1/network-accounts/chirpstack')
  return [body.data.status, body.data.message]
}

test('an account that is refused stays so, whatever call succeeds', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  const tenant_id = '00000000-0000-4000-a000-00000000000f'
  const account = { ...bench.simulator.account, tenant_id }
  const { body } = await bench.service.call('PUT', '/v1/network-accounts/chirpstack', {
    body: account,
  })
  assert.equal(body.data.status, 'refused', body.data.message)
  await queue(bench, eui, 5)
  // The network has no use for the tenant's id in this call.
  assert.equal(atNetwork(bench, eui).length, 1)
  const [status, message] = await readAccount(bench)
  assert.equal(status, 'refused')
  assert.match(message, /tenant_id/)
})

test('one that its network takes again is connected at the next call', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  await bench.service.services.db.query(
    "update network_accounts set status = 'refused', status_message = 'No.', failures = 3",
  )
  await queue(bench, eui, 5)
  assert.deepEqual(await readAccount(bench), ['connected', ''])
})
