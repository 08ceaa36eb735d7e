import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  addDevice,
  deviceKey,
  doorType,
  euiOf,
  gatewayEuiOf,
  readDevice,
} from '../../../../test/fleet.ts'
import { atNetwork, untilQuiet } from '../../../../test/network.ts'
import {
  addAtNetwork,
  addGatewayAtNetwork,
  adoption,
  countDevices,
  noDifference,
  reconcile,
  removeAtNetwork,
  renameAtNetwork,
  row,
  startFleet,
} from '../../../../test/reconciliation.ts'
import { startTestService } from '../../../../test/service.ts'

/** What can be done about each difference; one organization to a test. */

const service = await startTestService({ after })

// shows 11.7.5-6
test('adopts a device as active, without a call that creates it', async () => {
  const { owner, simulator } = await startFleet(service)
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
  assert.equal(await countDevices(service, owner), 2)
})

// shows 11.7.7
test('what is only here is provisioned again, and our name is sent', async () => {
  const { owner, simulator } = await startFleet(service)
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
  const { owner, simulator } = await startFleet(service)
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
test('what is ignored stays so in later reports, until it is not or is fixed', async () => {
  const { owner, simulator } = await startFleet(service)
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
  const { owner, simulator } = await startFleet(service)
  await addDevice(service, 0x50, {}, owner)
  for (const number of [0x51, 0x52, 0x53, 0x56]) addAtNetwork(simulator, number, `Device ${number}`)
  addAtNetwork(simulator, 0x54, '\u0000'.repeat(3))
  await addDevice(service, 0x55, { consoleOnly: true, registerMethod: 'vendor' }, owner)
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
  assert.equal(await countDevices(service, owner), 4)
})

test('gateways are adopted, added again and renamed', async () => {
  const { owner, simulator } = await startFleet(service)
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
