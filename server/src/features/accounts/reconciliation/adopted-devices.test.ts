import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { status } from '@grpc/grpc-js'
import {
  makeUp,
  post,
  readQuarantineOf,
  toTestCallback,
} from '../../../../test/chirpstack-uplinks.ts'
import { doorType, euiOf, gatewayEuiOf } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { connect, startChirpStack, untilQuiet } from '../../../../test/network.ts'
import {
  addAtNetwork,
  addGatewayAtNetwork,
  adoption,
  changeKeyAtNetwork,
  reconcile,
  row,
} from '../../../../test/reconciliation.ts'
import { startTestService } from '../../../../test/service.ts'
import { storeReleased } from '../../../uplinks/receive/released-uplinks.ts'
import { QueueFull } from '../../../uplinks/store/arrival.ts'

/** Devices that come from their network, with what they sent before and without their key. */

const service = await startTestService({ after })
const { services, owner } = service
const simulator = await startChirpStack({ after })
const callback = toTestCallback((await connect(service, simulator)).callback)

async function listUplinks(number: number) {
  const { body } = await service.call('GET', `/v1/devices/${euiOf(number)}/uplink`)
  return body.data
}

// shows 11.7.20
test('uplinks from before the adoption become its uplinks, once each', async () => {
  addAtNetwork(simulator, 1, 'Back door')
  const opened = makeUp({ eui: euiOf(1), hex: '100301', time: '2026-02-20T10:00:00.5+00:00' })
  const closed = makeUp({ eui: euiOf(1), hex: '110300', time: '2026-02-20T10:01:00+00:00' })
  const strange = makeUp({
    ...{ eui: euiOf(1), hex: '100301', time: '2026-02-20T10:02:00+00:00' },
    deduplicationId: 'a\u0000b',
  })
  for (const event of [opened, closed, makeUp({ eui: euiOf(2) }), strange]) {
    assert.equal((await post(service, callback, event)).status, 200)
  }
  await storeReleased(services)
  assert.equal((await readQuarantineOf(service, owner.organizationId)).length, 4)
  await reconcile(service, { rows: [adoption(1)] })
  await Promise.all([storeReleased(services), storeReleased(services)])
  const uplinks = await listUplinks(1)
  assert.deepEqual(
    uplinks.map((uplink: Record<string, unknown>) => [uplink.event_type, uplink.event_time]),
    [
      ['DOOR_SENSOR', '2026-02-20T10:02:00.000000Z'],
      ['DOOR_SENSOR', '2026-02-20T10:01:00.000000Z'],
      ['DOOR_SENSOR', '2026-02-20T10:00:00.500000Z'],
    ],
  )
  assert.equal((await readQuarantineOf(service, owner.organizationId)).length, 1)
  const kept = await services.db.query<{ device_eui: string; is_released: boolean }>(
    'select device_eui, is_released from quarantined_messages order by id',
  )
  assert.deepEqual(kept, [{ device_eui: euiOf(2), is_released: false }])
  assert.equal((await post(service, callback, opened)).status, 200)
  assert.equal((await listUplinks(1)).length, 3)
})

test('an adopted device has the tags that it has at its network, as far as they are tags here', async () => {
  addAtNetwork(simulator, 77, 'Freezer')
  const there = simulator.devices.get(euiOf(77).toLowerCase())?.record.getTagsMap()
  const tags = { floor: '2', critical: '', 'a:b': 'no key here', long: 'x'.repeat(257) }
  for (const [key, value] of Object.entries(tags)) there?.set(key, value)
  await reconcile(service, { rows: [adoption(77)] })
  const { body } = await service.call('GET', `/v1/fleet/devices/${euiOf(77)}`)
  assert.deepEqual(body.data.tags, { floor: '2', critical: '' })
})

test('more uplinks than fit into one batch are stored in their order', async () => {
  addAtNetwork(simulator, 3, 'Gate')
  const events = Array.from({ length: 250 }, (_, index) => makeUp({ eui: euiOf(3), fCnt: index }))
  for (const event of events) await post(service, callback, event)
  await reconcile(service, { adopt_all: { device_type: doorType.id } })
  await storeReleased(services)
  const { body } = await service.call('GET', `/v1/devices/${euiOf(3)}/uplink?itemsPerPage=1000`)
  assert.equal(body.meta.total, 250)
  const counts = body.data.map((uplink: { additional_data: { f_cnt: number } }) => {
    return uplink.additional_data.f_cnt
  })
  assert.deepEqual(counts, events.map((_, index) => index).reverse())
})

test('uplinks of a tenant whose queue is full hold up those of no other', async () => {
  const other = await foundOrganization(service, 'beside@example.test')
  const far = await startChirpStack({ after })
  const there = toTestCallback((await connect(service, far, {}, other)).callback)
  addAtNetwork(simulator, 71, 'Shed')
  addAtNetwork(far, 72, 'Barn')
  await post(service, callback, makeUp({ eui: euiOf(71) }))
  await post(service, there, makeUp({ eui: euiOf(72) }))
  await reconcile(service, { rows: [adoption(71)] })
  await reconcile(service, { rows: [adoption(72)] }, other)
  const { ingest } = services
  const full: typeof ingest = {
    ...ingest,
    store: async (arrival) => {
      if (arrival.account.organizationId === owner.organizationId) throw new QueueFull()
      return ingest.store(arrival)
    },
  }
  const readReleased = () =>
    services.db.query('select device_eui from quarantined_messages where is_released')
  await storeReleased({ ...services, ingest: full })
  assert.deepEqual(await readReleased(), [{ device_eui: euiOf(71) }])
  await storeReleased(services)
  assert.deepEqual(await readReleased(), [])
})

// shows 11.7.8
test('an adopted device shows no key in its group until it is given one, once', async () => {
  for (const number of [4, 5]) addAtNetwork(simulator, number, 'Cellar')
  await reconcile(service, { adopt_all: { device_type: doorType.id } })
  const ids = []
  for (const number of [4, 5]) {
    ids.push((await service.call('GET', `/v1/devices/${euiOf(number)}`)).body.data.id)
  }
  const group = { groupName: 'House', selectedDevices: ids, selectedGroup: null }
  assert.equal((await service.call('POST', '/v1/device-groups', { body: group })).status, 200)
  assert.deepEqual(await readKeys(), { [euiOf(4)]: '', [euiOf(5)]: '' })

  // The network agrees already and is told nothing.
  simulator.faults.refusals['/api.DeviceService/Create'] = () => assert.fail('called')
  const key = '000102030405060708090A0B0C0D0E0F'
  changeKeyAtNetwork(simulator, 4, key)
  const rows = [4, 6].map((number) => row(number, 'repair', { device_key: key }))
  const given = await reconcile(service, { rows: [...rows, row(5, 'repair')] })
  const again = await reconcile(service, { rows: rows.slice(0, 1) })
  assert.deepEqual(
    [...given.rows, ...again.rows].map(({ result }) => result.message),
    [
      'The key of the device is known here now.',
      'There is no such device in this account, or it is being changed just now.',
      'The network and the service agree about this device.',
      'The device has a key already.',
    ],
  )
  assert.deepEqual(await readKeys(), { [euiOf(4)]: key, [euiOf(5)]: '' })
  assert.deepEqual(await services.db.query('select from provisioning'), [])
})

test('what its network refuses to remove is found there by the next comparison', async () => {
  addAtNetwork(simulator, 7, 'Shed')
  addGatewayAtNetwork(simulator, 7, 'Roof')
  const gateway = { kind: 'gateway', eui: gatewayEuiOf(7), action: 'adopt' }
  const adopted = await reconcile(service, { rows: [adoption(7), gateway] })
  assert.deepEqual(adopted.outcome, { done: 2, refused: 0 })
  const refusal = { code: status.FAILED_PRECONDITION, message: 'It is in use' }
  for (const name of ['Device', 'Gateway']) {
    simulator.faults.refusals[`/api.${name}Service/Delete`] = refusal
  }
  for (const path of [`devices/${euiOf(7)}`, `gateways/${gatewayEuiOf(7)}`]) {
    assert.equal((await service.call('DELETE', `/v1/${path}`)).status, 204)
    assert.equal((await service.call('GET', `/v1/${path}`)).status, 404)
  }
  await untilQuiet(service)
  const report = await reconcile(service)
  const rowOf = (kind: string, eui: string, name_there: string) => ({
    ...{ kind, eui, difference: 'only_at_network', name_here: null, name_there, ignored: false },
    actions: ['adopt', 'ignore'],
  })
  assert.deepEqual(report.rows, [
    rowOf('device', euiOf(7), 'Shed'),
    rowOf('gateway', gatewayEuiOf(7), 'Roof'),
  ])
})

/** Of the only group's devices, by EUI. */
async function readKeys(): Promise<Record<string, string>> {
  const { body } = await service.call('GET', '/v1/device-groups')
  const devices: { deviceId: string; deviceKey: string }[] = body.data[0].devices
  return Object.fromEntries(devices.map(({ deviceId, deviceKey }) => [deviceId, deviceKey]))
}
