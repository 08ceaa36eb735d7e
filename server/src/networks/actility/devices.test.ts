import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  type ActilityBench,
  addForeignServer,
  callbackOf,
  connectToActility,
  doorSensor,
  failsWith,
} from '../../../test/network-connections.ts'
import type { DeviceRadio } from '../device-radio.ts'
import type { NetworkError } from '../network-error.ts'

const callback = callbackOf('actility')

const { devEui } = doorSensor
const route = '/thingpark/wireless/rest/subscriptions/mine/devices/:uid'

function recordOf({ side }: ActilityBench) {
  const found = side.devices.get(devEui)
  assert.ok(found)
  return found.record
}

async function startWithCallback(t: TestContext) {
  const bench = await connectToActility(t)
  await bench.connection.setCallback(callback)
  return bench
}

test('registers a device with its profile and keys, routed to the application server', async (t) => {
  const bench = await startWithCallback(t)
  await bench.connection.addDevice(doorSensor)
  const [server] = bench.store.appServers.values()
  const { modelId, activation, appEui, appKey, appServerIds } = recordOf(bench)
  assert.deepEqual(
    [modelId, activation, appEui, appKey, appServerIds],
    [
      bench.simulator.account.device_model_id,
      'OTAA',
      doorSensor.joinEui,
      doorSensor.appKey,
      [server?.id],
    ],
  )
})

const networkKey = 'AABBCCDDEEFF00112233445566778899'
const later: DeviceRadio = { version: '1.1', activation: 'otaa', deviceClass: 'C', networkKey }
const fixed: DeviceRadio = {
  version: '1.0',
  activation: 'abp',
  deviceClass: 'A',
  devAddr: '26011AB1',
  networkKey,
}

test('registers LoRaWAN 1.1, class C and devices without a join, by a profile that has them', async (t) => {
  const bench = await startWithCallback(t)
  const { connection, side } = bench
  const of11 = { ...doorSensor, profile: 'LORA/GenericC.1.1_ETSI', radio: later }
  await connection.addDevice(of11)
  await connection.addDevice(of11)
  const { appKey, nwkKey } = recordOf(bench)
  assert.deepEqual([appKey, nwkKey], [doorSensor.appKey, networkKey])
  const mismatched = failsWith(
    'refused',
    /already, as one with a join \(OTAA\); here it is registered as one without a join/,
  )
  await assert.rejects(connection.addDevice({ ...doorSensor, radio: fixed }), mismatched)
  await connection.removeDevice(devEui)

  await connection.addDevice({ ...doorSensor, radio: fixed })
  await connection.addDevice({ ...doorSensor, radio: fixed })
  const record = recordOf(bench)
  const appKeys = `<AppSKeys><AppSKey Port="*">${doorSensor.appKey}</AppSKey></AppSKeys>`
  assert.deepEqual(
    [record.activation, record.nwAddress, record.nwKey, record.appKeys, record.appKey],
    ['ABP', '26011AB1', networkKey, appKeys, ''],
  )
  const moved = { ...fixed, devAddr: '26011AB2' }
  for (const [radio, words] of [
    [moved, /device address 26011AB1, which cannot be changed there/],
    [undefined, /already, as one without a join \(ABP\)/],
  ] as const) {
    const device = radio ? { ...doorSensor, radio } : doorSensor
    await assert.rejects(connection.addDevice(device), failsWith('refused', words))
  }
  await connection.removeDevice(devEui)

  const ofClassC: DeviceRadio = { version: '1.0', activation: 'otaa', deviceClass: 'C' }
  await assert.rejects(
    connection.addDevice({ ...doorSensor, radio: ofClassC }),
    failsWith(
      'refused',
      /1\.0\.3a_ETSI of ThingPark is one of class A, and the device .* class C: choose another/,
    ),
  )
  assert.equal(side.devices.get(devEui), undefined, 'taken back')
  await assert.rejects(
    connection.addDevice({ ...doorSensor, radio: later }),
    failsWith('refused', /nwkKey is forbidden/),
  )
})

test('adopts a device that is its own or routed nowhere, with the new key', async (t) => {
  const bench = await startWithCallback(t)
  await bench.connection.addDevice(doorSensor)
  const appKey = 'F'.repeat(32)
  await bench.connection.addDevice({ ...doorSensor, name: 'Front door', appKey })
  assert.equal(bench.simulator.findDevice(devEui)?.name, 'Front door')
  assert.equal(recordOf(bench).appKey, appKey)
  recordOf(bench).appServerIds = []
  await bench.connection.addDevice(doorSensor)
  assert.equal(recordOf(bench).appServerIds.length, 1)
})

test('leaves a device of another application server as it is', async (t) => {
  const bench = await startWithCallback(t)
  const foreign = addForeignServer(bench)
  bench.simulator.addDevice(devEui, 'Not ours')
  recordOf(bench).appServerIds = [foreign]
  const before = structuredClone(recordOf(bench))
  await assert.rejects(
    bench.connection.addDevice(doorSensor),
    (error: NetworkError) => error.kind === 'refused' && /another application/.test(error.message),
  )
  await assert.rejects(bench.connection.renameDevice(devEui, 'Ours'), /has no device/)
  await bench.connection.removeDevice(devEui)
  assert.deepEqual(recordOf(bench), before)
  assert.equal(bench.simulator.findDevice(devEui)?.name, 'Not ours')
})

test('completes a registration whose answer was lost', async (t) => {
  const bench = await startWithCallback(t)
  const list = route.replace('/:uid', '')
  bench.http.faults.answers[`POST ${list}`] = () => {
    bench.simulator.addDevice(devEui, 'half done')
    return { status: 502 }
  }
  await assert.rejects(
    bench.connection.addDevice(doorSensor),
    (error: NetworkError) => error.kind === 'unreachable' && !error.isUndone,
  )
  await bench.connection.addDevice(doorSensor)
  assert.equal(bench.simulator.findDevice(devEui)?.name, doorSensor.name)
})

test('makes a change again when somebody else was faster, and gives up a hopeless one', async (t) => {
  const bench = await startWithCallback(t)
  await bench.connection.addDevice(doorSensor)
  let changes = 0
  bench.http.faults.answers[`PUT ${route}`] = () => {
    changes += 1
    if (changes === 1) recordOf(bench).version += 1
    return undefined
  }
  await bench.connection.renameDevice(devEui, 'Front door')
  assert.deepEqual([changes, bench.simulator.findDevice(devEui)?.name], [2, 'Front door'])

  bench.http.faults.answers[`PUT ${route}`] = () => {
    recordOf(bench).version += 1
    return undefined
  }
  await assert.rejects(bench.connection.renameDevice(devEui, 'x'), /updated by another user/)
  const body = { code: 29, message: 'no such luck' }
  bench.http.faults.answers[`PUT ${route}`] = { status: 400, body }
  const callsBefore = bench.http.calls.length
  await assert.rejects(bench.connection.renameDevice(devEui, 'x'), /no such luck/)
  const puts = bench.http.calls.slice(callsBefore).filter(({ method }) => method === 'PUT')
  assert.equal(puts.length, 1)
})

test('removes what is its own, and succeeds when it is gone', async (t) => {
  const bench = await startWithCallback(t)
  await bench.connection.addDevice(doorSensor)
  await bench.connection.removeDevice(devEui)
  await bench.connection.removeDevice(devEui)
  assert.deepEqual(bench.simulator.deviceEuis(), [])
})

test('lists the devices of its application server, page by page', async (t) => {
  const bench = await startWithCallback(t)
  const foreign = addForeignServer(bench)
  // Its joins need not be reported.
  bench.simulator.setCallback(undefined)
  for (let number = 0; number < 120; number += 1) {
    bench.simulator.addDevice(`00AA00000000${String(1000 + number)}`, `Door ${number}`)
  }
  bench.simulator.addDevice(devEui, 'Not ours')
  recordOf(bench).appServerIds = [foreign]
  const pages = await Array.fromAsync(bench.connection.listDevices())
  assert.deepEqual(
    pages.map((page) => page.length),
    [50, 50, 20],
  )
  assert.deepEqual(pages[0]?.[0], {
    eui: '00AA000000001000',
    name: 'Door 0',
    joinEui: '0000000000000000',
    radio: { version: '1.0', activation: 'otaa', deviceClass: 'A' },
  })
})
