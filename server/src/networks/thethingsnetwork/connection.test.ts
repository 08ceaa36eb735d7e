import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  abpRadio,
  connectToStack,
  failsWith,
  networkKey,
  plannedSensor,
  plantStackDevice,
  readStackDevice,
} from '../../../test/network-connections.ts'
import type { DeviceRadio } from '../device-radio.ts'
import { NetworkError } from '../network-error.ts'

const { devEui } = plannedSensor
const callback = {
  url: 'https://fleet.example.test/v1/callbacks/x',
  header: 'X-Secret',
  value: 's',
}

test('registers LoRaWAN 1.1 with both keys', async (t) => {
  const { simulator, connection } = await connectToStack(t)
  const radio: DeviceRadio = { version: '1.1', activation: 'otaa', deviceClass: 'A', networkKey }
  await connection.addDevice({ ...plannedSensor, radio })
  const device = readStackDevice(simulator)
  const keys = { app_key: { key: plannedSensor.appKey }, nwk_key: { key: networkKey } }
  assert.deepEqual(device?.join?.root_keys, keys)
  assert.equal(device?.network?.lorawan_version, 'MAC_V1_1')
  assert.equal(device?.network?.lorawan_phy_version, 'PHY_V1_1_REV_B')
  assert.equal((await connection.readDevice(devEui, { key: true })).appKey, plannedSensor.appKey)
  await assert.rejects(
    connection.addDevice(plannedSensor),
    failsWith('refused', /already, as one of LoRaWAN 1\.1; here/),
  )
})

test('registers a device without a join, which sends and gets downlinks at once', async (t) => {
  const { simulator, connection } = await connectToStack(t)
  const device = { ...plannedSensor, radio: abpRadio }
  await connection.addDevice(device)
  const { identity, join, network, application } = readStackDevice(simulator) ?? {}
  assert.equal(join, undefined)
  assert.equal(identity?.join_server_address, undefined)
  const { session, supports_join, supports_class_c } = network ?? {}
  assert.deepEqual([supports_join, supports_class_c], [false, true])
  const key = { key: networkKey }
  assert.deepEqual(session, {
    dev_addr: '26011AB1',
    keys: { f_nwk_s_int_key: key, nwk_s_enc_key: key, s_nwk_s_int_key: key },
    last_f_cnt_up: 0,
    last_n_f_cnt_down: 0,
  })
  const appSKey = { app_s_key: { key: plannedSensor.appKey } }
  const ofApplication = { dev_addr: '26011AB1', keys: appSKey, last_a_f_cnt_down: 0 }
  assert.deepEqual(application?.session, ofApplication)
  assert.deepEqual(await connection.readDevice(devEui, { key: true }), {
    radio: { version: '1.0', activation: 'abp', deviceClass: 'C', devAddr: '26011AB1' },
  })
  const payload = Buffer.from('01', 'hex')
  await connection.queueDownlink({ devEui, fPort: 2, payload, confirmed: false })
  await simulator.sendUplink(devEui, '110300')
  assert.equal(readStackDevice(simulator)?.session?.lastNFCntDown, 1)

  await connection.addDevice(device)
  assert.equal(readStackDevice(simulator)?.session?.lastNFCntDown, 1, 'the same session')
  await connection.addDevice({ ...device, radio: { ...abpRadio, devAddr: '26011AB2' } })
  assert.equal(readStackDevice(simulator)?.session, undefined, 'another session counts from zero')
  await assert.rejects(
    connection.addDevice(plannedSensor),
    failsWith('refused', /as one without a join \(ABP\); here/),
  )
  await connection.removeDevice(devEui)
  assert.equal(simulator.findDevice(devEui), undefined)
})

test('adopts a device without a join that has no JoinEUI, and completes half of one', async (t) => {
  const { simulator, connection } = await connectToStack(t)
  const ids = { device_id: 'valve', dev_eui: devEui }
  const planted = plantStackDevice(simulator, 'valve', { ids })
  const call = 'PUT /api/v3/as/applications/:application/devices/:device'
  simulator.http.faults.answers[call] = { status: 503, body: { message: 'gone' } }
  const device = { ...plannedSensor, radio: abpRadio }
  await assert.rejects(connection.addDevice(device), failsWith('unreachable', /gone/))
  delete simulator.http.faults.answers[call]
  await connection.addDevice(device)
  assert.equal(planted.join, undefined)
  assert.ok(planted.application?.session)
  assert.equal(simulator.findDevice(devEui)?.name, 'Back door')
})

test('the network server refuses a session that is none, and another kind of join', async (t) => {
  const { connection } = await connectToStack(t)
  const add = (changes: Partial<DeviceRadio>) =>
    connection.addDevice({ ...plannedSensor, radio: { ...abpRadio, ...changes } })
  for (const [changes, words] of [
    [{ devAddr: '00000000' }, /field `session\.dev_addr`/],
    [{ networkKey: '0'.repeat(32) }, /field `session\.keys\.f_nwk_s_int_key\.key`/],
    [{ version: '1.1' }, /field `session\.keys\.nwk_s_enc_key\.key`/],
  ] as const) {
    await assert.rejects(add(changes), failsWith('refused', words))
  }
  await connection.addDevice(plannedSensor)
  await assert.rejects(add({}), failsWith('refused', /as one with a join \(OTAA\); here/))
})

test('queues and lists downlinks', async (t) => {
  const { simulator, connection } = await connectToStack(t)
  await connection.addDevice(plannedSensor)
  const payload = Buffer.from('0100029900000000', 'hex')
  const first = await connection.queueDownlink({ devEui, fPort: 2, payload, confirmed: false })
  const second = await connection.queueDownlink({ devEui, fPort: 3, payload, confirmed: true })
  assert.deepEqual(await connection.listDownlinks(devEui), [
    { id: first, fPort: 2, payload, confirmed: false, isPending: false },
    { id: second, fPort: 3, payload, confirmed: true, isPending: false },
  ])
  await simulator.sendUplink(devEui, '110300')
  assert.deepEqual(await connection.listDownlinks(devEui), [])
})

test('takes a full queue for no limit of calls', async (t) => {
  const { simulator, store, connection } = await connectToStack(t)
  await connection.addDevice(plannedSensor)
  await simulator.settle()
  store.queueCapacity = 1
  const downlink = { devEui, fPort: 2, payload: Buffer.alloc(1), confirmed: false }
  await connection.queueDownlink(downlink)
  await assert.rejects(connection.queueDownlink(downlink), failsWith('refused', /queue is full/))
  simulator.throttle(0)
  await assert.rejects(connection.queueDownlink(downlink), (error) => {
    assert.ok(error instanceof NetworkError)
    assert.equal(error.kind, 'slow_down', error.message)
    assert.ok(error.retryAfterMs && error.retryAfterMs > 0)
    return true
  })
})

test('passes on that a device which has not joined takes no downlinks', async (t) => {
  const { simulator, connection } = await connectToStack(t)
  const downlink = { devEui, fPort: 2, payload: Buffer.alloc(1), confirmed: false }
  await assert.rejects(connection.queueDownlink(downlink), failsWith('refused', /no device/))
  await connection.addDevice(plannedSensor)
  const route = 'POST /api/v3/as/applications/:application/devices/:device/down/push'
  simulator.http.faults.answers[route] = {
    status: 400,
    body: {
      code: 9,
      message:
        'error:pkg/applicationserver:no_device_session (no device session; check device activation)',
    },
  }
  await assert.rejects(
    connection.queueDownlink(downlink),
    failsWith('refused', /refused: no device session; check device activation\.$/),
  )
})

test('enters a webhook of its own, once, and takes away nothing else', async (t) => {
  const { store, connection } = await connectToStack(t)
  const theirs = { ids: { webhook_id: 'theirs' }, base_url: 'https://other.example.test/' }
  store.webhooks.set('theirs', theirs)
  await connection.setCallback(callback)
  await connection.setCallback({ ...callback, value: 'changed' })
  assert.equal(store.webhooks.size, 2)
  const own = [...store.webhooks.values()].find(({ base_url: url }) => url === callback.url)
  assert.deepEqual(own?.headers, { 'X-Secret': 'changed' })
  assert.deepEqual([own?.format, own?.uplink_message], ['json', {}])
  await connection.removeCallback(callback)
  await connection.removeCallback(callback)
  assert.deepEqual([...store.webhooks.values()], [theirs])
})

test('fixes a webhook that was made by hand for its address, and clears its failures', async (t) => {
  const { store, connection } = await connectToStack(t)
  const webhook = { ids: { webhook_id: 'by-hand' }, base_url: callback.url, paused: false }
  store.webhooks.set('by-hand', { ...webhook, health_status: { unhealthy: {} } })
  await connection.setCallback(callback)
  assert.deepEqual([...store.webhooks.keys()], ['by-hand'])
  const { headers, paused, health_status: health } = store.webhooks.get('by-hand') ?? {}
  assert.deepEqual([headers, paused, health], [{ 'X-Secret': 's' }, false, undefined])
})

test('calls a queue that it cannot read unreachable, so that nothing is lost', async (t) => {
  const { simulator, connection } = await connectToStack(t)
  await connection.addDevice(plannedSensor)
  const route = 'GET /api/v3/as/applications/:application/devices/:device/down'
  simulator.http.faults.answers[route] = { status: 200, body: { downlinks: ['x'] } }
  await assert.rejects(connection.listDownlinks(devEui), failsWith('unreachable', /not read/))
})
