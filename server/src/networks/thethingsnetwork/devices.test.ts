import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  connectToStack,
  doorId,
  failsWith,
  plannedSensor,
  plantStackDevice,
  readStackDevice,
} from '../../../test/network-connections.ts'
import { thisMachine } from '../../../test/outside.ts'
import { anyJoinEui } from '../forms.ts'
import { openConnection } from './connection.ts'

const { devEui } = plannedSensor
const registries = {
  join: 'PUT /api/v3/js/applications/:application/devices/:device',
  network: 'PUT /api/v3/ns/applications/:application/devices/:device',
  application: 'PUT /api/v3/as/applications/:application/devices/:device',
}

test('registers a device in all four servers, each with its part', async (t) => {
  const { simulator, connection } = await connectToStack(t)
  await connection.addDevice(plannedSensor)
  const device = readStackDevice(simulator)
  assert.equal(device?.identity?.name, 'Back door')
  assert.equal(device?.identity?.join_server_address, '127.0.0.1')
  assert.deepEqual(device?.join?.root_keys, { app_key: { key: plannedSensor.appKey } })
  assert.equal(device?.network?.frequency_plan_id, 'EU_863_870_TTN')
  assert.equal(device?.network?.lorawan_version, 'MAC_V1_0_3')
  assert.equal(device?.network?.lorawan_phy_version, 'PHY_V1_0_3_REV_A')
  assert.deepEqual(device?.application?.ids, {
    device_id: doorId,
    application_ids: { application_id: 'fleet-app' },
    dev_eui: devEui,
    join_eui: plannedSensor.joinEui,
  })
})

test('registers in the groups of AS923 that have only newer regional parameters', async (t) => {
  const { simulator, connection } = await connectToStack(t)
  await connection.addDevice({ ...plannedSensor, frequencyPlan: 'AS_923_3' })
  assert.equal(readStackDevice(simulator)?.network?.lorawan_phy_version, 'RP002_V1_0_3')
})

test('registers a device in the versions of its model, where its plan has them', async (t) => {
  const model = { vendor: 'Acme', model: 'Probe', firmware: null, region: 'EU868' }
  const radio = {
    activation: 'otaa',
    deviceClass: 'A',
    supportsClassB: false,
    details: {},
  } as const
  const cases = [
    ['EU_863_870_TTN', '1.0.2', 'B', 'MAC_V1_0_2 PHY_V1_0_2_REV_B'],
    ['EU_863_870_TTN', '1.0.2', 'RP001-1.0.2-RevB', 'MAC_V1_0_2 PHY_V1_0_2_REV_B'],
    ['EU_863_870_TTN', '1.0.3', 'RP001-1.0.3-RevA', 'MAC_V1_0_3 PHY_V1_0_3_REV_A'],
    ['EU_863_870_TTN', '1.0.4', 'RP002-1.0.1', 'MAC_V1_0_4 RP002_V1_0_1'],
    ['EU_863_870_TTN', '1.0.4', 'RP002-1.0.4', 'MAC_V1_0_4 RP002_V1_0_3'],
    ['EU_863_870_TTN', '1.0.0', null, 'MAC_V1_0_3 PHY_V1_0_3_REV_A'],
    ['RU_864_870_TTN', '1.0.2', 'B', 'MAC_V1_0_3 PHY_V1_0_3_REV_A'],
    ['CN_470_510_FSB_1', '1.0.4', 'RP002-1.0.1', 'MAC_V1_0_3 PHY_V1_0_3_REV_A'],
    ['AS_923_3', '1.0.3', 'A', 'MAC_V1_0_3 RP002_V1_0_3'],
  ] as const
  for (const [frequencyPlan, macVersion, regionalParameters, versions] of cases) {
    const { simulator, connection } = await connectToStack(t)
    const whole = { ...model, ...radio, macVersion, regionalParameters }
    await connection.addDevice({ ...plannedSensor, frequencyPlan, model: whole })
    const network = readStackDevice(simulator)?.network
    const said = `${network?.lorawan_version} ${network?.lorawan_phy_version}`
    assert.equal(said, versions, `${macVersion} ${regionalParameters} in ${frequencyPlan}`)
  }
})

test('asks the identity server in another cluster, where it is there', async (t) => {
  const { simulator: elsewhere } = await connectToStack(t)
  const { simulator, connection } = await connectToStack(t, {
    identity_server: elsewhere.http.address,
  })
  await connection.addDevice(plannedSensor)
  const paths = (calls: { path: string }[]) => calls.map(({ path }) => path.slice(7, 11))
  assert.deepEqual(paths(elsewhere.http.calls), ['/sea', '/app'])
  assert.deepEqual(paths(simulator.http.calls), ['/js/', '/ns/', '/as/'])
})

for (const [part, call] of Object.entries(registries)) {
  test(`ends complete when it is repeated after a crash before the ${part} server`, async (t) => {
    const { simulator, connection } = await connectToStack(t)
    const { answers } = simulator.http.faults
    answers[call] = { status: 503, body: { message: 'gone' } }
    await assert.rejects(connection.addDevice(plannedSensor), failsWith('unreachable', /gone/))
    assert.ok(readStackDevice(simulator)?.identity)
    delete answers[call]
    await connection.addDevice(plannedSensor)
    assert.equal(simulator.findDevice(devEui)?.name, 'Back door')
  })

  test(`takes the device back when the ${part} server refuses it`, async (t) => {
    const { simulator, connection } = await connectToStack(t)
    simulator.http.faults.answers[call] = { status: 400, body: { message: 'not this one' } }
    await assert.rejects(connection.addDevice(plannedSensor), failsWith('refused', /not this one/))
    const { identity, join, network, application } = readStackDevice(simulator) ?? {}
    assert.deepEqual([identity, join, network, application], Array(4).fill(undefined))
  })
}

test('passes a refusal on in the words of The Things Stack', async (t) => {
  const { connection } = await connectToStack(t)
  await assert.rejects(
    connection.addDevice({ ...plannedSensor, frequencyPlan: 'MARS_1' }),
    failsWith('refused', /^The Things Stack refused: frequency plan `MARS_1` not found\.$/),
  )
})

test('adopts a device of its own application under any id, and keeps its session', async (t) => {
  const { simulator, connection } = await connectToStack(t)
  const planted = plantStackDevice(simulator, 'front-door', { description: 'by the bins' })
  const network = { lorawan_version: 'MAC_V1_0_2', lorawan_phy_version: 'PHY_V1_0_2_REV_B' }
  const { ids } = planted.identity ?? {}
  Object.assign(planted, { network: { ids, supports_join: true, ...network } })
  await connection.addDevice({ ...plannedSensor, joinEui: anyJoinEui })
  const device = readStackDevice(simulator, 'front-door')
  assert.equal(device?.identity?.name, 'Back door')
  assert.equal(device?.identity?.description, 'by the bins')
  assert.equal(device?.network?.lorawan_version, 'MAC_V1_0_2')
  assert.equal(device?.network?.frequency_plan_id, 'EU_863_870_TTN')
  assert.deepEqual(device?.join?.root_keys, { app_key: { key: plannedSensor.appKey } })

  await connection.renameDevice(devEui, 'Side door')
  assert.equal(device?.identity?.name, 'Side door')
  const downlink = { devEui, fPort: 2, payload: Buffer.from('01', 'hex'), confirmed: false }
  await connection.queueDownlink(downlink)
  assert.deepEqual(simulator.findDevice(devEui)?.queue, ['01'])
  await connection.removeDevice(devEui)
  assert.equal(simulator.findDevice(devEui), undefined)
})

test('finds the id of a device again that was not registered through this connection', async (t) => {
  const { simulator, connection } = await connectToStack(t)
  plantStackDevice(simulator, 'front-door')
  await connection.renameDevice(devEui, 'Side door')
  assert.equal(readStackDevice(simulator, 'front-door')?.identity?.name, 'Side door')
  const before = simulator.http.calls.length
  await connection.renameDevice(devEui, 'Front door')
  assert.equal(simulator.http.calls.length, before + 1)
})

test('adopts nothing that is registered otherwise', async (t) => {
  const { simulator, connection } = await connectToStack(t)
  plantStackDevice(simulator, 'one', { network_server_address: 'nam1.cloud.thethings.network' })
  await assert.rejects(
    connection.addDevice(plannedSensor),
    failsWith('refused', /another cluster of The Things Stack, nam1/),
  )
  const planted = plantStackDevice(simulator, 'one')
  Object.assign(planted, { network: { ids: {}, lorawan_version: 'MAC_V1_1' } })
  await assert.rejects(connection.addDevice(plannedSensor), failsWith('refused', /LoRaWAN 1\.1/))

  plantStackDevice(simulator, doorId)
  simulator.store.devices.delete('fleet-app/one')
  await assert.rejects(
    connection.addDevice({ ...plannedSensor, joinEui: '00AA0000000000EE' }),
    failsWith('refused', /with the JoinEUI 00AA0000000000FF/),
  )
})

test('adopts a device of the same servers under another of their names', async (t) => {
  const { simulator, connection } = await connectToStack(t)
  const address = new URL(simulator.http.address)
  address.hostname = 'localhost'
  const other = openConnection({ ...simulator.account, cluster: address.origin }, thisMachine)
  t.after(() => other.close())
  await other.addDevice(plannedSensor)
  await connection.addDevice({ ...plannedSensor, name: 'Front door' })
  const device = readStackDevice(simulator)
  assert.deepEqual(
    [device?.identity?.name, device?.identity?.network_server_address],
    ['Front door', 'localhost'],
  )
  assert.equal(device?.join?.network_server_address, 'localhost')
  delete device?.network
  await connection.addDevice(plannedSensor)
  assert.ok(readStackDevice(simulator)?.network, 'a name of this machine')

  const servers = { network_server_address: 'stack.example.test:1885' }
  const planted = plantStackDevice(simulator, 'one', servers)
  simulator.store.devices.delete(`fleet-app/${doorId}`)
  await assert.rejects(connection.addDevice(plannedSensor), failsWith('refused', /another cluster/))
  Object.assign(planted, { application: { ids: planted.identity?.ids } })
  await connection.addDevice(plannedSensor)
  assert.ok(planted.network && planted.join, 'one of our servers has it')
  assert.equal(planted.identity?.network_server_address, 'stack.example.test:1885')
})

test('registers under the name that the application has for its servers', async (t) => {
  const { simulator, store, connection } = await connectToStack(t)
  store.serverAddress = 'stack.example.test'
  await connection.addDevice(plannedSensor)
  const device = readStackDevice(simulator)
  assert.equal(device?.identity?.join_server_address, 'stack.example.test')
  assert.equal(device?.join?.network_server_address, 'stack.example.test')
  assert.equal(simulator.findDevice(devEui)?.name, 'Back door')
})

test('leaves a device of another application alone', async (t) => {
  const { simulator, connection } = await connectToStack(t)
  const foreign = plantStackDevice(simulator, 'theirs', {}, 'other-app')
  await assert.rejects(
    connection.addDevice(plannedSensor),
    failsWith('refused', /already registered as `theirs` in application `other-app`/),
  )
  await assert.rejects(connection.renameDevice(devEui, 'x'), failsWith('refused', /no device/))
  await connection.removeDevice(devEui)
  assert.equal(foreign.identity?.name, 'By hand')
})

test('removes what is half registered, and succeeds where there is nothing', async (t) => {
  const { simulator, connection } = await connectToStack(t)
  await connection.addDevice(plannedSensor)
  Object.assign(readStackDevice(simulator) ?? {}, { join: undefined, network: undefined })
  await connection.removeDevice(devEui)
  assert.equal(readStackDevice(simulator)?.identity, undefined)
  await connection.removeDevice(devEui)
})

test('lists the devices of the application in pages', async (t) => {
  const { simulator, connection } = await connectToStack(t)
  for (let index = 0; index < 501; index += 1) {
    const dev_eui = index.toString(16).padStart(16, '0')
    plantStackDevice(simulator, `dev-${index}`, { ids: { dev_eui }, name: `Device ${index}` })
  }
  plantStackDevice(simulator, 'by-activation', { ids: { device_id: 'by-activation' } })
  const pages = await Array.fromAsync(connection.listDevices())
  assert.deepEqual(
    pages.map((page) => page.length),
    [500, 1],
  )
  const application = 'fleet-app'
  const profile = { id: '', name: application }
  assert.deepEqual(pages[1], [
    { eui: '00000000000001F4', name: 'Device 500', application, profile },
  ])
})
