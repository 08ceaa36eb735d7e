import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectToStack, failsWith, plannedSensor } from '../../../test/network-connections.ts'
import { NetworkError } from '../network-error.ts'

const { devEui } = plannedSensor
const callback = {
  url: 'https://fleet.example.test/v1/callbacks/x',
  header: 'X-Secret',
  value: 's',
}

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

test('mends a webhook that was made by hand for its address, and clears its failures', async (t) => {
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
