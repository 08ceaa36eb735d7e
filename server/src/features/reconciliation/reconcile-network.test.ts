import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestService } from '../../test-service.ts'
import { addDevice, deviceKey, doorType, euiOf, readDevice } from '../devices/test-devices.ts'
import { atNetwork, connect, startSimulator, untilQuiet } from '../devices/test-network.ts'
import { foundOrganization, joinMember } from '../organizations/test-members.ts'
import {
  addAtNetwork,
  addGatewayAtNetwork,
  adoption,
  gatewayEuiOf,
  noDifference,
  readReport,
  reconcile,
  reconcileUrl,
  removeAtNetwork,
  renameAtNetwork,
  row,
} from './test-reconciliation.ts'

/** What the differences are, and what can be done about each; one organization to a test. */

const service = await startTestService({ after })

let organizations = 0
/** The owner of an organization of its own, connected to a ChirpStack of its own. */
async function startConnected() {
  organizations += 1
  const owner = await foundOrganization(service, `fleet${organizations}@example.test`)
  const simulator = await startSimulator({ after })
  await connect(service, simulator, {}, owner)
  return { owner, simulator }
}

async function countDevices(owner: { organizationId: number; token: string }): Promise<number> {
  const { body } = await service.call('GET', '/v1/devices', { as: owner })
  return body.meta.total
}

// shows 11.7.1-4
test('tells every difference, in order of EUIs, with exact totals, and changes nothing', async () => {
  const { owner, simulator } = await startConnected()
  for (const number of [0x11, 0x12, 0x13]) await addDevice(service, number, {}, owner)
  removeAtNetwork(simulator, 0x11)
  renameAtNetwork(simulator, 0x13, 'Theirs')
  addAtNetwork(simulator, 0x10, 'Cellar')
  addGatewayAtNetwork(simulator, 1, 'Roof')
  const report = await reconcile(service, {}, owner)
  const empty = { name_here: null, name_there: null, ignored: false }
  assert.deepEqual(report, {
    network: 'chirpstack',
    register_method: 'user_account',
    compares: ['device', 'gateway'],
    compared_at: '2026-03-01T12:00:00.000000Z',
    failure: '',
    totals: {
      device: { only_at_network: 1, only_here: 1, name_differs: 1, ignored: 0 },
      gateway: { ...noDifference, only_at_network: 1 },
    },
    rows: [
      {
        ...empty,
        kind: 'device',
        eui: euiOf(0x10),
        difference: 'only_at_network',
        name_there: 'Cellar',
        actions: ['adopt', 'ignore'],
      },
      {
        ...empty,
        kind: 'device',
        eui: euiOf(0x11),
        difference: 'only_here',
        name_here: 'Device 17',
        actions: ['repair', 'ignore'],
      },
      {
        ...empty,
        kind: 'device',
        eui: euiOf(0x13),
        difference: 'name_differs',
        name_here: 'Device 19',
        name_there: 'Theirs',
        actions: ['repair', 'ignore'],
      },
      {
        ...empty,
        kind: 'gateway',
        eui: gatewayEuiOf(1),
        difference: 'only_at_network',
        name_there: 'Roof',
        actions: ['adopt', 'ignore'],
      },
    ],
    more: false,
  })
  assert.deepEqual(await readReport(service, '', owner), report)
  const second = await readReport(service, '?page=2&itemsPerPage=1', owner)
  assert.deepEqual([second.rows, second.more], [[report.rows[1]], true])
  assert.equal(await countDevices(owner), 3)
})

// shows 11.7.5-6
test('adopts a device as active, without a call that creates it', async () => {
  const { owner, simulator } = await startConnected()
  addAtNetwork(simulator, 0x20, 'Cellar')
  addAtNetwork(simulator, 0x21, 'Attic')
  for (const name of ['Create', 'CreateKeys', 'Update', 'UpdateKeys', 'Delete']) {
    simulator.faults.refusals[`/api.DeviceService/${name}`] = () => assert.fail(name)
  }
  const report = await reconcile(
    service,
    { rows: [adoption(0x21, { device_name: 'Loft', device_key: deviceKey }), adoption(0x20)] },
    owner,
  )
  assert.deepEqual(report.outcome, { done: 2, refused: 0 })
  assert.deepEqual(
    report.rows.map(({ eui, result }: { eui: string; result: object }) => [eui, result]),
    [
      [euiOf(0x21), { status: true, message: 'Device adopted.' }],
      [euiOf(0x20), { status: true, message: 'Device adopted.' }],
    ],
  )
  assert.deepEqual(report.totals.device, noDifference)
  const { device_name, deviceTypeId, device_register_status } = await readDevice(
    service,
    0x20,
    owner,
  )
  assert.deepEqual([device_name, deviceTypeId], ['Cellar', doorType.id])
  assert.equal(device_register_status, 'active')
  assert.equal((await readDevice(service, 0x21, owner)).device_name, 'Loft')
  const again = await reconcile(service, { rows: [adoption(0x20)] }, owner)
  assert.deepEqual(again.rows[0].result, {
    status: false,
    message: 'The network and the service agree about this device.',
  })
  assert.equal(await countDevices(owner), 2)
})

// shows 11.7.7
test('what is only here is provisioned again, and our name is sent', async () => {
  const { owner, simulator } = await startConnected()
  for (const number of [0x30, 0x31]) await addDevice(service, number, {}, owner)
  removeAtNetwork(simulator, 0x30)
  renameAtNetwork(simulator, 0x31, 'Theirs')
  const rows = [row(0x30, 'repair'), row(0x31, 'repair')]
  const report = await reconcile(service, { rows }, owner)
  assert.deepEqual(report.outcome, { done: 2, refused: 0 })
  await untilQuiet(service)
  assert.deepEqual(atNetwork(simulator, 0x30), { name: 'Device 48', key: deviceKey.toLowerCase() })
  assert.equal(atNetwork(simulator, 0x31)?.name, 'Device 49')
  assert.equal((await readDevice(service, 0x30, owner)).device_register_status, 'active')
  assert.deepEqual((await reconcile(service, {}, owner)).rows, [])
})

// shows 11.7.8
test('an adopted device without a key is added again once somebody gives the key', async () => {
  const { owner, simulator } = await startConnected()
  addAtNetwork(simulator, 0x38, 'Cellar')
  await reconcile(service, { rows: [adoption(0x38)] }, owner)
  const body = { device_name: 'Vault' }
  const path = `/v1/devices/${euiOf(0x38)}`
  assert.equal((await service.call('PATCH', path, { as: owner, body })).status, 200)
  await untilQuiet(service)
  assert.equal(atNetwork(simulator, 0x38)?.name, 'Vault')
  removeAtNetwork(simulator, 0x38)
  const bare = await reconcile(service, { rows: [row(0x38, 'repair')] }, owner)
  assert.match(bare.rows[0].result.message, /key of the device is not known/)
  const given = { rows: [row(0x38, 'repair', { device_key: deviceKey })] }
  assert.equal((await reconcile(service, given, owner)).rows[0].result.status, true)
  await untilQuiet(service)
  assert.deepEqual(atNetwork(simulator, 0x38), { name: 'Vault', key: deviceKey.toLowerCase() })
  removeAtNetwork(simulator, 0x38)
  assert.match((await reconcile(service, given, owner)).rows[0].result.message, /has a key already/)
})

// shows 11.7.9
test('what is ignored stays so in later reports, until it is not or is mended', async () => {
  const { owner, simulator } = await startConnected()
  addAtNetwork(simulator, 0x40, 'Cellar')
  await reconcile(service, { rows: [row(0x40, 'ignore')] }, owner)
  const later = await reconcile(service, {}, owner)
  assert.deepEqual(later.totals.device, { ...noDifference, ignored: 1 })
  assert.deepEqual([later.rows[0].ignored, later.rows[0].actions], [true, ['adopt', 'unignore']])
  const all = await reconcile(service, { adopt_all: { device_type: doorType.id } }, owner)
  assert.deepEqual([all.outcome, all.rows], [{ done: 0, refused: 0 }, []])
  const counted = await reconcile(service, { rows: [row(0x40, 'unignore')] }, owner)
  assert.deepEqual(counted.totals.device, { ...noDifference, only_at_network: 1 })
  await reconcile(service, { rows: [row(0x40, 'ignore')] }, owner)
  await reconcile(service, { rows: [adoption(0x40)] }, owner)
  removeAtNetwork(simulator, 0x40)
  assert.equal((await reconcile(service, {}, owner)).rows[0].ignored, false)
})

// shows 11.7.10
test('a bad row is refused by itself, and says why', async () => {
  const { owner, simulator } = await startConnected()
  await addDevice(service, 0x50, {}, owner)
  for (const number of [0x51, 0x52, 0x53, 0x56]) addAtNetwork(simulator, number, `Device ${number}`)
  addAtNetwork(simulator, 0x54, '\u0000'.repeat(3))
  const stranger = await foundOrganization(service, 'taker@example.test')
  await addDevice(service, 0x55, { consoleOnly: true }, stranger)
  addAtNetwork(simulator, 0x55, 'Taken')
  const rows = [
    adoption(0x51),
    'nonsense',
    adoption(0x52, { device_type: 999_999 }),
    row(0x53, 'adopt'),
    adoption(0x51),
    adoption(0x50),
    adoption(0x5f),
    row(0x52, 'sell'),
    { kind: 'device', eui: 'short', action: 'adopt' },
    adoption(0x53, { device_key: 'x' }),
    row(0x56, 'repair'),
    adoption(0x54),
    adoption(0x55),
  ]
  const report = await reconcile(service, { rows }, owner)
  const agree = 'The network and the service agree about this device.'
  assert.deepEqual(
    report.rows.map(({ eui, result }: { eui: string; result: { message: string } }) => [
      eui,
      result.message,
    ]),
    [
      [euiOf(0x51), 'Device adopted.'],
      [null, 'The row must be an object.'],
      [euiOf(0x52), 'The selected device type is invalid.'],
      [euiOf(0x53), 'The device type field is required.'],
      [euiOf(0x51), 'The device is named more than once.'],
      [euiOf(0x50), agree],
      [euiOf(0x5f), agree],
      [euiOf(0x52), 'The action must be one of: adopt, repair, ignore, unignore.'],
      [null, 'The EUI must be 16 characters.'],
      [euiOf(0x53), 'The device key must be 32 characters.'],
      [euiOf(0x56), 'There is no way to repair this difference.'],
      [euiOf(0x54), 'Device adopted.'],
      [euiOf(0x55), 'The device EUI has already been taken.'],
    ],
  )
  assert.deepEqual(report.outcome, { done: 2, refused: 11 })
  assert.equal((await readDevice(service, 0x54, owner)).device_name, euiOf(0x54))
  assert.equal(await countDevices(owner), 3)
})

// shows 11.7.11
test('devices on their way to the network, and those kept here alone, are no differences', async () => {
  const { owner, simulator } = await startConnected()
  await addDevice(service, 0x60, {}, owner)
  await addDevice(service, 0x63, { consoleOnly: true }, owner)
  simulator.faults.isAway = true
  await addDevice(service, 0x61, {}, owner)
  const path = `/v1/devices/${euiOf(0x60)}`
  assert.equal((await service.call('DELETE', path, { as: owner })).status, 204)
  const answer = await service.call('POST', reconcileUrl, { as: owner, body: {} })
  assert.equal(answer.status, 503)
  simulator.faults.isAway = false
  assert.deepEqual((await reconcile(service, {}, owner)).rows, [])
})

test('gateways are adopted, added again and renamed', async () => {
  const { owner, simulator } = await startConnected()
  addGatewayAtNetwork(simulator, 1, 'Roof')
  const gatewayRow = (action: string) => ({ kind: 'gateway', eui: gatewayEuiOf(1), action })
  const adopted = await reconcile(service, { rows: [gatewayRow('adopt')] }, owner)
  assert.equal(adopted.rows[0].result.message, 'Gateway adopted.')
  const path = `/v1/gateways/${gatewayEuiOf(1)}`
  const { gateway } = (await service.call('GET', path, { as: owner })).body
  const { gateway_name, register_status } = gateway
  assert.deepEqual([gateway_name, register_status], ['Roof', 'active'])
  const { gateways } = simulator.store
  gateways.get(gatewayEuiOf(1).toLowerCase())?.setName('Mast')
  assert.equal((await reconcile(service, {}, owner)).rows[0].difference, 'name_differs')
  await reconcile(service, { rows: [gatewayRow('repair')] }, owner)
  await untilQuiet(service)
  assert.equal(gateways.get(gatewayEuiOf(1).toLowerCase())?.getName(), 'Roof')
  gateways.clear()
  await reconcile(service, { rows: [gatewayRow('repair')] }, owner)
  await untilQuiet(service)
  assert.equal(gateways.get(gatewayEuiOf(1).toLowerCase())?.getName(), 'Roof')
})

// shows 11.7.12
test('rows about devices and gateways take the permission for these as well', async () => {
  const { owner, simulator } = await startConnected()
  addAtNetwork(simulator, 0x70, 'Cellar')
  addAtNetwork(simulator, 0x71, 'Attic')
  const reader = await joinMember(service, 'reads@example.test', ['manage_devices'], owner)
  const denied = await service.call('POST', reconcileUrl, { as: reader, body: {} })
  assert.equal(denied.status, 403)
  const clerk = await joinMember(service, 'clerk@example.test', ['manage_account'], owner)
  const rows = [adoption(0x70), row(0x71, 'ignore')]
  const report = await reconcile(service, { rows }, clerk)
  assert.deepEqual(report.rows[0].result, {
    status: false,
    message: 'You do not have the permission manage_devices.',
  })
  assert.equal(report.rows[1].result.status, true)
  assert.equal((await readReport(service, '', reader)).totals.device.only_at_network, 1)
})

test('refuses what is no request, and names no account that is not there', async () => {
  const { owner } = await startConnected()
  const send = (body: unknown) => service.call('POST', reconcileUrl, { as: owner, body })
  for (const [body, field] of [
    [{ rows: {} }, 'rows'],
    [{ rows: Array.from({ length: 1001 }, () => ({})) }, 'rows'],
    [{ adopt_all: true }, 'adopt_all'],
    [{ adopt_all: { device_type: -1 } }, 'device_type'],
    [{ adopt_all: { device_type: 999_999 } }, 'device_type'],
    [{ register_method: 'both' }, 'register_method'],
  ] as const) {
    const answer = await send(body)
    assert.equal(answer.status, 422, answer.text)
    assert.match(Object.keys(answer.body.errors).join(), new RegExp(field))
  }
  assert.equal((await send({ register_method: 'vendor' })).status, 404)
  const elsewhere = reconcileUrl.replace('chirpstack', 'nowhere')
  assert.equal((await service.call('POST', elsewhere, { as: owner })).status, 404)
})

// shows 11.7.13
test("the operator's account is compared with the devices of all organizations", async () => {
  const simulator = await startSimulator({ after })
  await connect(service, simulator, { register_method: 'vendor' })
  const { owner } = await startConnected()
  await addDevice(service, 0x80, { registerMethod: 'vendor' }, owner)
  await addDevice(service, 0x81, { registerMethod: 'vendor' })
  const body = { register_method: 'vendor' }
  assert.deepEqual((await reconcile(service, body)).rows, [])
  removeAtNetwork(simulator, 0x80)
  const rows = [row(0x80, 'repair')]
  assert.equal((await reconcile(service, { ...body, rows })).rows[0].result.status, true)
  await untilQuiet(service)
  assert.equal(atNetwork(simulator, 0x80)?.name, 'Device 128')
})
