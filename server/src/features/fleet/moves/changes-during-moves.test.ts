import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addDevice, deviceKey, euiOf } from '../../../../test/fleet.ts'
import {
  anotherDevice,
  type MoveBench,
  move,
  placesOf,
  readMove,
  startBench,
  work,
} from '../../../../test/moves.ts'
import { watchRegistrations } from '../../../../test/webhooks.ts'
import { sealContext } from '../../../db/secret-keys.ts'

/** What owners change while a device moves. */

const shared = await startBench({ after })
const machineqId = 2
const otherKey = 'FFEEDDCCBBAA99887766554433221100'
const atNew = { chirpstack: false, stack: true, shown: 'The Things Stack' }

async function storedKeyOf({ service: { services }, id }: MoveBench): Promise<string> {
  const [row] = await services.db.query<{ sealed_key: Buffer }>(
    'select sealed_key from devices where id = $1',
    [id],
  )
  return services.sealer.open(row?.sealed_key ?? Buffer.of(), sealContext('deviceKey', id))
}

/** The key that The Things Stack has. */
function keyAtStack({ stack, eui }: MoveBench): string | undefined {
  const facts = stack.findDevice(eui)?.facts
  return facts && JSON.parse(facts).join.root_keys.app_key.key
}

test('a key of the request goes to the new network, and is the device’s own when it is done', async () => {
  const bench = await anotherDevice(shared)
  await move(bench, { deviceKey: otherKey })
  assert.equal(keyAtStack(bench), otherKey)
  assert.equal(await storedKeyOf(bench), deviceKey)
  await bench.stack.sendUplink(bench.eui, '100301')
  await work(bench)
  assert.deepEqual(await placesOf(bench), atNew)
  assert.equal(await storedKeyOf(bench), otherKey)
})

test('a device that is put back has the key that it had', async () => {
  const bench = await anotherDevice(shared)
  const { id } = await move(bench, { deviceKey: otherKey })
  await bench.service.call('DELETE', `/v1/moves/${id}`)
  await work(bench)
  assert.equal((await readMove(bench, id)).state, 'cancelled')
  assert.equal(await storedKeyOf(bench), deviceKey)
})

test('a change while the old network is away does not bring the device back there', async () => {
  const bench = await anotherDevice(shared)
  const { service, chirpstack, stack, eui } = bench
  const { id } = await move(bench)
  chirpstack.faults.isAway = true
  await stack.sendUplink(eui, '100301')
  await work(bench)
  const changed = await service.call('PATCH', `/v1/devices/${eui}`, {
    body: { device_name: 'Changed', deviceKey: otherKey },
  })
  assert.equal(changed.status, 200, changed.text)
  chirpstack.faults.isAway = false
  // The last call is written when the one before ends, so the outbox is not quiet by one wake.
  service.setClock(new Date(service.services.now().getTime() + 600_000))
  await work(bench)
  assert.equal((await readMove(bench, id)).state, 'done')
  assert.deepEqual(await placesOf(bench), atNew)
  assert.deepEqual([stack.findDevice(eui)?.name, keyAtStack(bench)], ['Changed', otherKey])
  const { body } = await service.call('GET', `/v1/devices/${eui}`)
  assert.equal(body.data.device_register_status, 'active')
})

test('a device that the old network refused is active after its move, and webhooks are told', async (t) => {
  const { service, chirpstack, stack } = shared
  const events = await watchRegistrations(t, service, service.owner)
  chirpstack.refuse('not here')
  const number = 0x77
  const { id, device_register_status } = await addDevice(service, number)
  assert.equal(device_register_status, 'register_error')
  chirpstack.refuse(undefined)
  const bench = { ...shared, id, eui: euiOf(number) }
  await move(bench)
  await stack.sendUplink(bench.eui, '100301')
  await work(bench)
  assert.deepEqual(await placesOf(bench), atNew)
  assert.deepEqual(await events(), ['pending', 'register_error', 'active'])
  await service.call('DELETE', `/v1/devices/${bench.eui}`)
  await work(bench)
  assert.equal(stack.findDevice(bench.eui), undefined)
})

test('a network that was never told of a device is not told to forget it', async () => {
  const bench = await anotherDevice(shared)
  const { state } = await move(bench, { network: machineqId, frequencyPlan: null })
  assert.equal(state, 'preparing')
  await bench.service.call('DELETE', `/v1/devices/${bench.eui}`)
  const calls = await bench.service.services.db.query(
    `select id from provisioning where network = 'machineq'`,
  )
  assert.deepEqual(calls, [])
})

test('without its account, the old network is left as it is', async () => {
  const bench = await anotherDevice(shared)
  const { service, chirpstack, stack, eui } = bench
  const { id } = await move(bench)
  chirpstack.faults.isAway = true
  await stack.sendUplink(eui, '100301')
  await work(bench)
  assert.equal((await readMove(bench, id)).state, 'completing')
  const removed = await service.call('DELETE', '/v1/network-accounts/chirpstack')
  assert.equal(removed.status, 204, removed.text)
  await work(bench)
  const { state, message } = await readMove(bench, id)
  assert.equal(state, 'done')
  assert.match(message, /^There is no account at ChirpStack v4 any more: delete the device there/)
})
