import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  type ChirpStackEvent,
  makeUp,
  post,
  readQuarantineOf,
  type TestCallback,
  toTestCallback,
} from '../../../../test/chirpstack-uplinks.ts'
import { configure, periodOf } from '../../../../test/downlinks.ts'
import {
  addDevice,
  addGateway,
  euiOf,
  gatewayEuiOf,
  readDevice,
  registrationOf,
} from '../../../../test/fleet.ts'
import { assertInvalid } from '../../../../test/invalid.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { atNetwork, connect, startChirpStack, untilQuiet } from '../../../../test/network.ts'
import { type Login, startTestService } from '../../../../test/service.ts'

/** An EUI that two organizations have: two things, of which neither knows of the other. */

const service = await startTestService({ after })
const { db } = service.services

interface Side {
  as: Login
  simulator: Awaited<ReturnType<typeof startChirpStack>>
  callback: TestCallback
}

let sides = 0
/** An organization that is connected to a ChirpStack of its own. */
async function startSide(): Promise<Side> {
  sides += 1
  const as = await foundOrganization(service, `side${sides}@example.test`)
  const simulator = await startChirpStack({ after })
  const { callback } = await connect(service, simulator, {}, as)
  return { as, simulator, callback: toTestCallback(callback) }
}

async function listUplinks(number: number, { as }: Side): Promise<string[]> {
  const answer = await service.call('GET', `/v1/devices/${euiOf(number)}/uplink`, { as })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.map((uplink: { event_type: string }) => uplink.event_type)
}

async function send({ callback }: Side, body: ChirpStackEvent, event = 'up'): Promise<void> {
  assert.equal((await post(service, callback, body, { event })).status, 200)
}

const [mine, theirs] = [await startSide(), await startSide()]

// shows 10.1.7
test('two organizations register one EUI, and each has its own device', async () => {
  const devices = [await addDevice(service, 1, { deviceName: 'Mine' }, mine.as)]
  devices.push(await addDevice(service, 1, { deviceName: 'Theirs' }, theirs.as))
  const statuses = devices.map(({ device_register_status }) => device_register_status)
  assert.deepEqual(statuses, ['active', 'active'])
  assert.notEqual(devices[0].id, devices[1].id)
  assert.equal(atNetwork(mine.simulator, 1)?.name, 'Mine')
  assert.equal(atNetwork(theirs.simulator, 1)?.name, 'Theirs')
  for (const [side, name] of [
    [mine, 'Mine'],
    [theirs, 'Theirs'],
  ] as const) {
    assert.equal((await readDevice(service, 1, side.as)).device_name, name)
    const list = await service.call('GET', '/v1/devices', { as: side.as })
    assert.equal(list.body.meta.total, 1)
  }
  const foreign = `/v1/devices/${devices[1].id}`
  assert.equal((await service.call('GET', foreign, { as: mine.as })).status, 404)
})

test('uplinks and events belong to the device of the account that they came through', async () => {
  await addDevice(service, 2, {}, mine.as)
  await addDevice(service, 2, {}, theirs.as)
  const opened = makeUp({ eui: euiOf(2), hex: '100301' })
  await send(mine, opened)
  assert.deepEqual(
    [await listUplinks(2, mine), await listUplinks(2, theirs)],
    [['DOOR_SENSOR'], []],
  )
  // The same message through both accounts in one batch: nobody's repeat of the other's.
  const both = makeUp({ eui: euiOf(2), hex: '000301' })
  await Promise.all([send(mine, both), send(theirs, both)])
  assert.equal((await listUplinks(2, mine)).length, 2)
  assert.equal((await listUplinks(2, theirs)).length, 1)
  await send(theirs, { ...makeUp({ eui: euiOf(2) }), devAddr: '00189440' }, 'join')
  const events = await db.query<{ organization_id: number }>(
    `select organization_id from network_events where kind = 'join'`,
  )
  assert.deepEqual(events, [{ organization_id: theirs.as.organizationId }])
})

test('downlinks go to the network of their own organization, and to no other', async () => {
  await addDevice(service, 3, {}, mine.as)
  await addDevice(service, 3, {}, theirs.as)
  const queued = ({ simulator }: Side) =>
    simulator.devices.get(euiOf(3).toLowerCase())?.queue.length
  const answer = await configure({ ...mine, service }, euiOf(3), periodOf(5), mine.as)
  assert.equal(answer.body.status, true, answer.text)
  assert.deepEqual([queued(mine), queued(theirs)], [1, 0])
  const path = `/v1/devices/${euiOf(3)}/configure`
  const history = await service.call('GET', path, { as: theirs.as })
  assert.deepEqual(history.body, [])
  // An event of their network about an item of the other's changes nothing there.
  const item = mine.simulator.devices.get(euiOf(3).toLowerCase())?.queue[0]?.id
  const sent = { ...makeUp({ eui: euiOf(3) }), queueItemId: item, downlinkId: 1 }
  await send(theirs, sent, 'txack')
  const [newest] = (await service.call('GET', path, { as: mine.as })).body
  assert.notEqual(newest.event_name, 'event_sent')
})

test('a deletion reaches one network and leaves the other device as it was', async () => {
  await addDevice(service, 4, {}, mine.as)
  await addDevice(service, 4, {}, theirs.as)
  await service.call('DELETE', `/v1/devices/${euiOf(4)}`, { as: mine.as })
  await untilQuiet(service)
  assert.equal(atNetwork(mine.simulator, 4), undefined)
  assert.equal(atNetwork(theirs.simulator, 4)?.name, 'Device 4')
  await send(theirs, makeUp({ eui: euiOf(4) }))
  assert.equal((await listUplinks(4, theirs)).length, 1)
  const { organizationId } = mine.as
  const before = (await readQuarantineOf(service, organizationId)).length
  await send(mine, makeUp({ eui: euiOf(4) }))
  assert.equal((await readQuarantineOf(service, organizationId)).length, before + 1)
  // Theirs again while the removal of mine still waits for its network.
  mine.simulator.faults.isAway = true
  await addDevice(service, 5, {}, mine.as)
  await addDevice(service, 5, {}, theirs.as)
  mine.simulator.faults.isAway = false
  assert.equal((await readDevice(service, 5, theirs.as)).device_register_status, 'active')
})

// shows 10.1.7, 10.1.10
test('at the operator’s account an EUI is there once, and nobody learns whose it is', async () => {
  const message = 'The device id has already been taken.'
  const vendor = { registerMethod: 'vendor' }
  await addDevice(service, 6, vendor, mine.as)
  for (const action of ['validate', 'confirm']) {
    const body = registrationOf(6, { ...vendor, action })
    const answer = await service.call('POST', '/v1/devices', { as: theirs.as, body })
    assert.equal(answer.status, 422)
    assertInvalid(answer.body, { message, errors: { deviceId: [message] } })
  }
  const own = await addDevice(service, 6, {}, theirs.as)
  assert.equal(own.device_register_status, 'active')
  await addDevice(service, 6, { ...vendor, network: 6 })
  await service.call('DELETE', `/v1/devices/${euiOf(6)}`, { as: mine.as })
  await addDevice(service, 6, vendor, await foundOrganization(service, 'heir@example.test'))
})

test('the operator’s account names what is registered there, and nothing else', async () => {
  const simulator = await startChirpStack({ after })
  const { callback } = await connect(service, simulator, { register_method: 'vendor' })
  const operator = { as: service.owner, simulator, callback: toTestCallback(callback) }
  await addDevice(service, 7, { registerMethod: 'vendor' }, mine.as)
  await addDevice(service, 7, {}, theirs.as)
  await addDevice(service, 7, {})
  await send(operator, makeUp({ eui: euiOf(7) }))
  assert.equal((await listUplinks(7, mine)).length, 1)
  assert.deepEqual(await listUplinks(7, theirs), [])
  assert.deepEqual(await listUplinks(7, operator), [])
})

test('a gateway of kind `other` delivers for the devices of its organization', async () => {
  await addDevice(service, 8, {}, mine.as)
  await addDevice(service, 8, {}, theirs.as)
  const changes = { gateway_bridge: 'other' }
  await addGateway(service, 1, changes, theirs.as)
  const path = `/v1/gateways/${gatewayEuiOf(1)}`
  const { body: known } = await service.call('GET', path, { as: theirs.as })
  const { authorisation_token, download_link } = known.gateway_configs
  const message = {
    ...{ deveui: euiOf(8), gweui: gatewayEuiOf(1), time: '2026-03-01T11:59:07Z', fcnt: 1 },
    ...{ port: 2, data: 'EAMB', rssi: -66, lsnr: 10, devaddr: '12312312' },
  }
  const answer = await service.call('POST', new URL(download_link).pathname, {
    as: null,
    headers: { authorization: `Bearer ${authorisation_token}` },
    body: message,
  })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(
    [await listUplinks(8, mine), await listUplinks(8, theirs)],
    [[], ['DOOR_SENSOR']],
  )
})

test('a mass of registrations of EUIs of others blocks nobody', async () => {
  const squatter = await foundOrganization(service, 'squatter@example.test')
  const numbers = Array.from({ length: 1000 }, (_, index) => 0x1000 + index)
  await db.query(
    `insert into devices (
       organization_id, device_eui, join_eui, name, type_id, network, register_method,
       register_status, user_id
     )
     select $1, eui, '', 'Squatted', 16, 'chirpstack', 'user_account', 'pending', $2
     from unnest($3::text[]) as eui`,
    [squatter.organizationId, squatter.userId, numbers.map(euiOf)],
  )
  for (const number of [0x1000, 0x1001]) {
    const device = await addDevice(service, number, {}, mine.as)
    assert.equal(device.device_register_status, 'active')
    await send(mine, makeUp({ eui: euiOf(number) }))
    assert.equal((await listUplinks(number, mine)).length, 1)
  }
  const devices = numbers.slice(2).map((number) => ({
    ...{ action: 'create', deviceId: euiOf(number), deviceName: `Device ${number}` },
    provisioningData: {
      ...{ network: 'chirpstack', registerMethod: 'vendor', deviceTypeId: 16 },
      ...{ deviceKey: '00112233445566778899AABBCCDDEEFF', joinEui: euiOf(0) },
    },
  }))
  const batch = await service.call('POST', '/v1/batch-device-requests', {
    as: theirs.as,
    body: { devices },
  })
  const refused = batch.body.data.filter(({ status }: { status: boolean }) => !status)
  assert.deepEqual(refused, [])
})
