import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foreignEui } from '../../../simulators/loriot/store.ts'
import { connectToLoriot, doorSensor, failsWith } from '../../../test/network-connections.ts'
import { thisMachine } from '../../../test/outside.ts'
import { anyJoinEui } from '../forms.ts'
import { openConnection } from './connection.ts'

const downlink = {
  devEui: doorSensor.devEui,
  fPort: 2,
  payload: Buffer.from([1]),
  confirmed: false,
}

test('names the account field that is wrong', async (t) => {
  const wrong = [
    [{ api_key: 'nonsense' }, 'unauthorized', /does not accept the account: Unauthorized/],
    [{ application_id: 'BE7A0000' }, 'refused', /application_id/],
    [{ network_id: 'A0000009' }, 'refused', /network_id/],
  ] as const
  for (const [changes, kind, words] of wrong) {
    const { connection } = await connectToLoriot(t, changes)
    await assert.rejects(connection.check(), failsWith(kind, words))
  }
  const { connection } = await connectToLoriot(t, { network_id: 'a0000001' })
  await connection.check()
})

test('adopts a device of its own application, and no other', async (t) => {
  const { connection, side, http } = await connectToLoriot(t)
  await connection.addDevice(doorSensor)
  const changed = { ...doorSensor, name: 'Gate', appKey: 'F'.repeat(32) }
  for (const status of [400, 403, 404, 409]) {
    http.faults.answers['POST /1/nwk/app/:app/devices/otaa'] = {
      status,
      body: { error: 'already registered' },
    }
    await connection.addDevice({ ...changed, name: `Gate ${status}` })
    assert.equal(side.devices.get(doorSensor.devEui)?.name, `Gate ${status}`)
  }
  assert.equal(side.devices.get(doorSensor.devEui)?.record.appkey, changed.appKey)
  http.faults.answers = {}
  await assert.rejects(
    connection.addDevice({ ...doorSensor, joinEui: '00AA0000000000EF' }),
    failsWith('refused', /JoinEUI 00AA0000000000FF/),
  )
  await connection.addDevice({ ...doorSensor, joinEui: anyJoinEui })
  await assert.rejects(
    connection.addDevice({ ...doorSensor, devEui: foreignEui }),
    failsWith('refused', /already registered/),
  )
})

test('registers devices without a join and of class C, and adopts the same session', async (t) => {
  const { connection, side, http } = await connectToLoriot(t)
  const networkKey = 'AABBCCDDEEFF00112233445566778899'
  const radio = { version: '1.0', activation: 'otaa', deviceClass: 'C' } as const
  await connection.addDevice({ ...doorSensor, radio })
  const record = () => side.devices.get(doorSensor.devEui)?.record
  assert.deepEqual([record()?.devclass, record()?.session], ['C', undefined])
  const fixed = { ...radio, activation: 'abp', devAddr: '26011AB1', networkKey } as const
  await assert.rejects(
    connection.addDevice({ ...doorSensor, radio: fixed }),
    failsWith(
      'refused',
      /with the device address \w{8} \(26011AB1 here\), which cannot be changed there/,
    ),
  )
  await connection.removeDevice(doorSensor.devEui)
  const call = 'POST /1/nwk/app/:app/device/:device/appskey'
  http.faults.answers[call] = { status: 400, body: { error: 'Invalid session key' } }
  const device = { ...doorSensor, radio: fixed }
  await assert.rejects(connection.addDevice(device), failsWith('refused', /session key/))
  assert.equal(record(), undefined, 'taken back')
  http.faults.answers[call] = { status: 503, body: { error: 'gone' } }
  await assert.rejects(connection.addDevice(device), failsWith('unreachable', /gone/))
  http.faults.answers = {}
  await connection.addDevice(device)
  const session = { devaddr: '26011AB1', nwkskey: networkKey, appskey: doorSensor.appKey }
  assert.deepEqual([record()?.devclass, record()?.session], ['C', session])
})

test('tells a full account from a wrong one', async (t) => {
  const { connection, http, store } = await connectToLoriot(t)
  const full = { status: 403, body: { error: 'Not enough capacity' } }
  http.faults.answers['POST /1/nwk/app/:app/devices/otaa'] = full
  await assert.rejects(
    connection.addDevice(doorSensor),
    failsWith('refused', /refused: Not enough capacity/),
  )
  store.apiKey = 'another one'
  await assert.rejects(connection.addDevice(doorSensor), failsWith('unauthorized', /Unauthorized/))
})

test('renames and removes a device, and what is not there without a fault', async (t) => {
  const { connection, side } = await connectToLoriot(t)
  await assert.rejects(
    connection.renameDevice('00AA000000000002', 'x'),
    failsWith('refused', /no device/),
  )
  await connection.addDevice(doorSensor)
  await connection.renameDevice(doorSensor.devEui, 'Front door')
  assert.equal(side.devices.get(doorSensor.devEui)?.name, 'Front door')
  await connection.removeDevice(doorSensor.devEui)
  await connection.removeDevice(doorSensor.devEui)
  await connection.removeDevice(foreignEui)
  assert.equal(side.devices.size, 0)
})

test('makes a token for downlinks, and another one when that was taken back', async (t) => {
  const { connection, side, store } = await connectToLoriot(t)
  await connection.addDevice(doorSensor)
  const ids = [await connection.queueDownlink(downlink), await connection.queueDownlink(downlink)]
  assert.notEqual(ids[0], ids[1])
  assert.equal(store.tokens.length, 1)
  store.tokens.length = 0
  await connection.queueDownlink(downlink)
  assert.equal(side.devices.get(doorSensor.devEui)?.queue.length, 3)
  assert.equal(
    await connection.readSession(doorSensor.devEui).then(({ downlinks }) => downlinks),
    0,
  )
  await connection.flushDownlinks(doorSensor.devEui)
  assert.equal(side.devices.get(doorSensor.devEui)?.queue.length, 0)
})

test('uses the token of the account, and says so when it is wrong', async (t) => {
  const { connection } = await connectToLoriot(t, { application_token: 'wrong' })
  await connection.addDevice(doorSensor)
  await assert.rejects(
    connection.queueDownlink(downlink),
    failsWith('unauthorized', /application_token/),
  )
})

test('passes on what LORIOT says of a downlink, without any secret', async (t) => {
  const { connection, http, store } = await connectToLoriot(t)
  await assert.rejects(connection.queueDownlink(downlink), failsWith('refused', /Device not found/))
  const words = `bad ${store.tokens[0]} ${store.apiKey}`
  http.faults.answers['POST /1/rest'] = { status: 500, body: { error: words } }
  await assert.rejects(
    connection.queueDownlink(downlink),
    failsWith('unreachable', /bad \[secret\] \[secret\]/),
  )
  http.faults.answers['POST /1/rest'] = { status: 200, body: { error: words } }
  await assert.rejects(connection.queueDownlink(downlink), failsWith('refused', /bad \[secret\]/))
})

test('sets its callback once, renews its secret and leaves other outputs alone', async (t) => {
  const { connection, store } = await connectToLoriot(t)
  const other = { output: 'httppush', osetup: { url: 'https://other.example.test/', auth: 'x' } }
  store.outputs.push(other, { output: 'websocket', osetup: {} })
  const callback = {
    url: 'https://us.example.test/v1/callbacks/a',
    header: 'authorization',
    value: 'one',
  }
  await connection.setCallback(callback)
  await connection.setCallback(callback)
  assert.equal(store.outputs.length, 3)
  await connection.removeCallback(callback)
  await connection.setCallback({ ...callback, value: 'two' })
  assert.equal(store.outputs.length, 3)
  assert.deepEqual(store.outputs[2]?.osetup.auth, 'two')
  await connection.removeCallback(callback)
  await connection.removeCallback(callback)
  assert.deepEqual(
    store.outputs.map(({ output }) => output),
    ['httppush', 'websocket'],
  )
  assert.equal(store.outputs[0], other)
})

test('replaces an output of its own that has an old secret', async (t) => {
  const { connection, store } = await connectToLoriot(t)
  const callback = {
    url: 'https://us.example.test/v1/callbacks/a',
    header: 'authorization',
    value: 'new',
  }
  store.outputs.push({ output: 'httppush', osetup: { url: callback.url, auth: 'old' } })
  await connection.setCallback(callback)
  assert.deepEqual(
    store.outputs.map(({ osetup }) => osetup.auth),
    ['new'],
  )
})

test('adds no output where LORIOT does not show where the others send to', async (t) => {
  const { connection, http } = await connectToLoriot(t)
  http.faults.answers['GET /1/nwk/app/:app/outputs'] = { status: 200, body: [{ _id: 'httppush' }] }
  const callback = { url: 'https://us.example.test/', header: 'authorization', value: 'v' }
  await assert.rejects(connection.setCallback(callback), failsWith('refused', /does not show/))
})

test('lists devices and gateways in pages', async (t) => {
  const { connection, side, simulator } = await connectToLoriot(t)
  for (let index = 0; index < 150; index += 1) {
    simulator.addDevice(`00AA0000000${String(index).padStart(5, '0')}`, `Sensor ${index}`)
  }
  await connection.gateways.add({ gatewayEui: '7076FFFFFF053A13', name: 'Roof' })
  const pages = await Array.fromAsync(connection.listDevices())
  assert.deepEqual(
    pages.map((page) => page.length),
    [100, 50],
  )
  assert.deepEqual(pages[0]?.[7], {
    eui: '00AA000000000007',
    name: 'Sensor 7',
    radio: { version: '1.0', deviceClass: 'A' },
  })
  assert.equal(side.devices.size, 150)
  const gateways = await Array.fromAsync(connection.gateways.list())
  assert.deepEqual(gateways, [[{ eui: '7076FFFFFF053A13', name: 'Roof' }]])
})

test('is unreachable while LORIOT is away or slow', async (t) => {
  const { connection, http, simulator } = await connectToLoriot(t)
  const hasty = openConnection(simulator.account, thisMachine, { deadlineMs: 100 })
  t.after(() => hasty.close())
  http.faults.latencyMs = 60_000
  await assert.rejects(hasty.check(), failsWith('unreachable', /did not answer in time/))
  http.faults.latencyMs = 0
  http.faults.isAway = true
  await assert.rejects(connection.check(), failsWith('unreachable', /could not be reached/))
})

test('does not take what it may not see for something that is not there', async (t) => {
  const { connection, side, http } = await connectToLoriot(t)
  await connection.addDevice(doorSensor)
  const denied = { status: 403, body: { error: 'Forbidden' } }
  http.faults.answers['GET /1/nwk/app/:app/device/:device'] = denied
  const isDenied = failsWith('unauthorized', /Forbidden/)
  await assert.rejects(connection.removeDevice(doorSensor.devEui), isDenied)
  await assert.rejects(connection.renameDevice(doorSensor.devEui, 'Gate'), isDenied)
  assert.ok(side.devices.has(doorSensor.devEui))
  // Of another user: neither seen nor listed.
  await connection.removeDevice(foreignEui)
})

test('says which field helps where the key gives no token', async (t) => {
  const { connection, simulator } = await connectToLoriot(t)
  await connection.addDevice(doorSensor)
  simulator.deny?.(['send_downlinks'])
  const refused = failsWith('unauthorized', /Not enough permissions.*application_token/)
  await assert.rejects(connection.queueDownlink(downlink), refused)
})
