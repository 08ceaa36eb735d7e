import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { status } from '@grpc/grpc-js'
import { addDevice, deviceKey, euiOf, readDevice } from '../../../../test/fleet.ts'
import { atNetwork, untilQuiet } from '../../../../test/network.ts'
import {
  addAtNetwork,
  adoption,
  changeKeyAtNetwork,
  noDifference,
  readReport,
  reconcile,
  reconcileUrl,
  renameAtNetwork,
  row,
  startFleet,
} from '../../../../test/reconciliation.ts'
import { type Login, startTestService } from '../../../../test/service.ts'
import { until } from '../../../../test/until.ts'
import { watchRegistrations } from '../../../../test/webhooks.ts'
import { compareDue } from './schedule.ts'

/** A key that was changed at the network, where that tells its keys; one organization to a test. */

const log: string[] = []
const service = await startTestService({ after }, { takeLine: (line) => void log.push(line) })
const otherKey = 'F0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF'
const getKeys = '/api.DeviceService/GetKeys'

/** The key here, as a group shows it. */
async function readKey(number: number, as: Login): Promise<string> {
  const { id } = await readDevice(service, number, as)
  const group = { groupName: `Group of ${number}`, selectedDevices: [id], selectedGroup: null }
  const made = await service.call('POST', '/v1/device-groups', { as, body: group })
  assert.equal(made.status, 200, made.text)
  const { body } = await service.call('GET', '/v1/device-groups', { as })
  const lists: { devices: { deviceId: string; deviceKey: string }[] }[] = body.data
  const entries = lists.flatMap(({ devices }) => devices)
  return entries.find(({ deviceId }) => deviceId === euiOf(number))?.deviceKey ?? 'none'
}

// shows 11.7.23
test('a key that was changed at the network is told of without either, and ours sent', async () => {
  const { owner, simulator } = await startFleet(service)
  for (const number of [0x10, 0x11]) await addDevice(service, number, {}, owner)
  assert.deepEqual((await reconcile(service, {}, owner)).rows, [])
  changeKeyAtNetwork(simulator, 0x10, otherKey)
  const report = await reconcile(service, {}, owner)
  assert.deepEqual(report.totals.device, { ...noDifference, key_differs: 1 })
  assert.deepEqual(report.rows, [
    {
      kind: 'device',
      eui: euiOf(0x10),
      difference: 'key_differs',
      problem: 'The key at the network is another one than here.',
      name_here: 'Device 16',
      name_there: 'Device 16',
      ignored: false,
      actions: ['adopt', 'repair', 'ignore'],
    },
  ])
  assert.deepEqual(await readReport(service, '', owner), report)
  const repaired = await reconcile(service, { rows: [row(0x10, 'repair')] }, owner)
  assert.deepEqual(repaired.rows[0].result, {
    status: true,
    message: 'The network is told the key of the device.',
  })
  await untilQuiet(service)
  assert.equal(atNetwork(simulator, 0x10)?.key, deviceKey.toLowerCase())
  assert.equal((await readDevice(service, 0x10, owner)).device_register_status, 'active')
  assert.deepEqual((await reconcile(service, {}, owner)).rows, [])
  for (const text of [JSON.stringify([report, repaired]), log.join('')]) {
    for (const key of [otherKey, deviceKey]) assert.ok(!text.toUpperCase().includes(key))
  }
})

// shows 11.7.23
test("the network's key is taken here instead, sealed", async () => {
  const { owner, simulator } = await startFleet(service)
  await addDevice(service, 0x20, {}, owner)
  changeKeyAtNetwork(simulator, 0x20, otherKey)
  for (const name of ['Create', 'CreateKeys', 'Update', 'UpdateKeys', 'Delete']) {
    simulator.faults.refusals[`/api.DeviceService/${name}`] = () => assert.fail(name)
  }
  const taken = await reconcile(service, { rows: [row(0x20, 'adopt')] }, owner)
  assert.deepEqual(taken.rows[0].result, {
    status: true,
    message: "The network's key is known here now.",
  })
  assert.deepEqual(taken.totals.device, noDifference)
  assert.equal(await readKey(0x20, owner), otherKey)
  const [stored] = await service.services.db.query<{ key: string }>(
    `select encode(sealed_key, 'hex') || encode(sealed_key, 'escape') as key from devices
     where organization_id = $1`,
    [owner.organizationId],
  )
  assert.ok(stored && !stored.key.toUpperCase().includes(otherKey))
  assert.deepEqual((await reconcile(service, {}, owner)).rows, [])
  assert.ok(!log.join('').toUpperCase().includes(otherKey))
})

test('a device that was refused is active with the key of the network, and webhooks are told', async (t) => {
  const { owner, simulator } = await startFleet(service)
  const events = await watchRegistrations(t, service, owner)
  simulator.faults.refusals['/api.DeviceService/Create'] = {
    code: status.ALREADY_EXISTS,
    message: 'object already exists',
  }
  const { device_register_status } = await addDevice(service, 0x28, {}, owner)
  assert.equal(device_register_status, 'register_error')
  addAtNetwork(simulator, 0x28, 'Device 40')
  changeKeyAtNetwork(simulator, 0x28, otherKey)
  await reconcile(service, { rows: [row(0x28, 'adopt')] }, owner)
  assert.equal((await readDevice(service, 0x28, owner)).device_register_status, 'active')
  assert.deepEqual(await events(), ['pending', 'register_error', 'active'])
})

test('a device that was adopted without a key takes the one of the network', async () => {
  const { owner, simulator } = await startFleet(service)
  addAtNetwork(simulator, 0x30, 'Cellar')
  changeKeyAtNetwork(simulator, 0x30, otherKey)
  await reconcile(service, { rows: [adoption(0x30)] }, owner)
  const { rows, totals } = await reconcile(service, {}, owner)
  assert.deepEqual([rows, totals.device], [[], noDifference])
  const taken = await reconcile(service, { rows: [row(0x30, 'adopt')] }, owner)
  assert.equal(taken.rows[0].result.message, "The network's key is known here now.")
  assert.equal(await readKey(0x30, owner), otherKey)
  const again = await reconcile(service, { rows: [row(0x30, 'adopt')] }, owner)
  assert.match(again.rows[0].result.message, /agree about this device/)
})

test('a device whose keys are gone at the network is incomplete until it is repaired', async () => {
  const { owner, simulator } = await startFleet(service)
  await addDevice(service, 0x40, {}, owner)
  changeKeyAtNetwork(simulator, 0x40)
  const [found] = (await reconcile(service, {}, owner)).rows
  assert.deepEqual([found.difference, found.actions], ['incomplete', ['repair', 'ignore']])
  assert.match(found.problem, /has no key of the device/)
  const repaired = await reconcile(service, { rows: [row(0x40, 'repair')] }, owner)
  assert.equal(repaired.rows[0].result.message, 'The network is told of the device again.')
  await untilQuiet(service)
  assert.equal(atNetwork(simulator, 0x40)?.key, deviceKey.toLowerCase())
  assert.deepEqual((await reconcile(service, {}, owner)).rows, [])
})

test('what cannot be read of the keys is said, and the rest is compared all the same', async () => {
  const { owner, simulator } = await startFleet(service)
  for (const number of [0x50, 0x51, 0x52]) await addDevice(service, number, {}, owner)
  renameAtNetwork(simulator, 0x52, 'Theirs')
  const refusal = { code: status.PERMISSION_DENIED, message: 'no keys for you' }
  simulator.faults.refusals[getKeys] = refusal
  const report = await reconcile(service, {}, owner)
  assert.deepEqual(report.totals.device, { ...noDifference, name_differs: 1 })
  assert.deepEqual(report.compares, ['device', 'gateway'])
  const [leftOut, ...others] = report.left_out
  assert.deepEqual([leftOut.kind, leftOut.part, others], ['device', 'keys', []])
  assert.match(leftOut.reason, /^The keys of 3 of 3 devices are not compared\. .*no keys for you/)
  changeKeyAtNetwork(simulator, 0x50, otherKey)
  const asked = await reconcile(service, { rows: [row(0x50, 'repair')] }, owner)
  const words =
    /^The network and the service agree about this device, as far as is told\. .*no keys/
  assert.match(asked.rows[0].result.message, words)
  delete simulator.faults.refusals[getKeys]
  assert.deepEqual((await reconcile(service, {}, owner)).left_out, [])
})

test('a request with rows asks for the keys of these, and of known differences', async () => {
  const { owner, simulator } = await startFleet(service)
  for (const number of [0x60, 0x61, 0x62, 0x63]) await addDevice(service, number, {}, owner)
  changeKeyAtNetwork(simulator, 0x61, otherKey)
  await reconcile(service, {}, owner)
  changeKeyAtNetwork(simulator, 0x62, otherKey)
  changeKeyAtNetwork(simulator, 0x63, otherKey)
  let asked = 0
  simulator.faults.refusals[getKeys] = () => {
    asked += 1
    return undefined
  }
  const report = await reconcile(service, { rows: [row(0x62, 'ignore')] }, owner)
  assert.equal(asked, 2)
  assert.deepEqual(report.totals.device, { ...noDifference, key_differs: 1, ignored: 1 })
})

test('a network that asks to slow down is waited for', async () => {
  const { owner, simulator } = await startFleet(service)
  await addDevice(service, 0x70, {}, owner)
  changeKeyAtNetwork(simulator, 0x70, otherKey)
  let asked = 0
  simulator.faults.refusals[getKeys] = () => {
    asked += 1
    const refusal = { code: status.RESOURCE_EXHAUSTED, message: 'too many requests' }
    return asked === 1 ? refusal : undefined
  }
  const report = await reconcile(service, {}, owner)
  assert.deepEqual([asked, report.totals.device.key_differs, report.left_out], [2, 1, []])
})

test('the comparison of each day finds a changed key', async () => {
  const { owner, simulator } = await startFleet(service)
  await addDevice(service, 0x80, {}, owner)
  changeKeyAtNetwork(simulator, 0x80, otherKey)
  await service.services.db.query(
    `update network_accounts
     set next_comparison_at = case organization_id when $1 then $2 else $3 end::timestamptz`,
    [owner.organizationId, service.services.now(), new Date('2030-01-01')],
  )
  await compareDue(service.services)
  const report = await readReport(service, '', owner)
  assert.equal(report.totals.device.key_differs, 1)
})

test('a key that is changed here while keys are compared is no difference', async () => {
  const { owner, simulator } = await startFleet(service)
  await addDevice(service, 0x90, {}, owner)
  const gate = Promise.withResolvers<undefined>()
  let isAsked = false
  simulator.faults.refusals[getKeys] = () => {
    isAsked = true
    return gate.promise
  }
  const comparison = reconcile(service, {}, owner)
  await until(() => isAsked, 'the key is asked for')
  const path = `/v1/devices/${euiOf(0x90)}`
  const body = { deviceKey: otherKey }
  assert.equal((await service.call('PATCH', path, { as: owner, body })).status, 200)
  await untilQuiet(service)
  gate.resolve(undefined)
  assert.deepEqual((await comparison).rows, [])
  assert.equal((await service.call('GET', reconcileUrl, { as: owner })).status, 200)
})
