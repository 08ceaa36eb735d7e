import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addForeignServer,
  callbackOf,
  connectToActility,
  doorSensor,
  failsWith,
} from '../../../test/network-connections.ts'
import type { NetworkError } from '../network-error.ts'

const callback = callbackOf('actility')

test('tells a wrong secret, without repeating it, and wrong profiles', async (t) => {
  const wrong = await connectToActility(t, { client_secret: 'wr0ng-secret' })
  await assert.rejects(wrong.connection.check(), (error: NetworkError) => {
    assert.equal(error.kind, 'unauthorized')
    assert.match(error.message, /Invalid client secret/)
    return !error.message.includes('wr0ng-secret')
  })
  const model = await connectToActility(t, { device_model_id: 'NO/SUCH' })
  await assert.rejects(model.connection.check(), failsWith('refused', /NO\/SUCH/))
  const station = await connectToActility(t, { base_station_model_id: 'NO/SUCH' })
  await assert.rejects(station.connection.check(), failsWith('refused', /base station profile/))
})

test('fetches one token for many calls, and another when that is not accepted any more', async (t) => {
  const {
    connection,
    store,
    http: { calls },
  } = await connectToActility(t)
  await Promise.all([connection.check(), connection.check()])
  const tokenCalls = () => calls.filter(({ path }) => path.endsWith('/token')).length
  assert.equal(tokenCalls(), 1)
  store.tokens.clear()
  await connection.check()
  assert.equal(tokenCalls(), 2)
})

test('shows neither its keys nor its token in an error', async (t) => {
  const {
    connection,
    store,
    simulator,
    http: { faults },
  } = await connectToActility(t)
  await connection.check()
  const { client_secret, as_key } = simulator.account
  const message = `${client_secret} ${as_key} ${[...store.tokens.keys()][0]}`
  const path = '/thingpark/wireless/rest/subscriptions/mine/deviceProfiles'
  faults.answers[`GET ${path}`] = { status: 400, body: { code: 1, message } }
  await assert.rejects(
    connection.check(),
    (error: NetworkError) => error.message === 'ThingPark refused: [secret] [secret] [secret].',
  )
})

test('enters its application server once, and leaves that of somebody else alone', async (t) => {
  const bench = await connectToActility(t)
  addForeignServer(bench)
  const before = structuredClone([...bench.store.appServers.values()])
  await bench.connection.setCallback(callback)
  await bench.connection.setCallback({ ...callback, value: 'another-secret' })
  const [foreign, own, ...others] = [...bench.store.appServers.values()]
  assert.deepEqual([foreign, others], [before[0], []])
  assert.deepEqual(
    [own?.asId, own?.asKey, own?.contentType, own?.addresses, own?.headers],
    [
      bench.simulator.account.as_id,
      bench.simulator.account.as_key,
      'jsontyped',
      [callback.url],
      [{ name: 'x-callback-secret', value: 'another-secret' }],
    ],
  )
  await bench.connection.removeCallback(callback)
  await bench.connection.removeCallback(callback)
  assert.deepEqual([...bench.store.appServers.values()], before)
})

test('keeps what the owner has set at its application server', async (t) => {
  const { connection, store } = await connectToActility(t)
  await connection.setCallback(callback)
  const [server] = store.appServers.values()
  assert.ok(server)
  server.headers.push({ name: 'X-Of-The-Owner', value: '1' })
  server.maxTimestampDeviation = 20
  server.contentType = 'xml'
  await connection.setCallback(callback)
  assert.deepEqual(
    server.headers.map(({ name }) => name),
    ['X-Of-The-Owner', 'x-callback-secret'],
  )
  assert.deepEqual([server.maxTimestampDeviation, server.contentType], [20, 'jsontyped'])
})

test('has a registration wait until there is an application server', async (t) => {
  const { connection, simulator } = await connectToActility(t)
  await assert.rejects(connection.addDevice(doorSensor), failsWith('unauthorized', /AS ID/))
  await connection.setCallback(callback)
  await connection.addDevice(doorSensor)
  assert.ok(simulator.findDevice(doorSensor.devEui))
})

test('signs a downlink in the order of its parameters, and flushes without a payload', async (t) => {
  const {
    connection,
    simulator,
    http: { calls },
  } = await connectToActility(t)
  await connection.setCallback(callback)
  await connection.addDevice(doorSensor)
  const payload = Buffer.from('abcd', 'hex')
  const { devEui } = doorSensor
  const id = await connection.queueDownlink({ devEui, fPort: 3, payload, confirmed: true })
  assert.match(id, /^[0-9A-F]{16}$/)
  assert.deepEqual(
    Object.keys(calls.at(-1)?.query ?? {}).join(' '),
    'DevEUI FPort Payload Confirmed AS_ID Time CorrelationID Token',
  )
  assert.equal(calls.at(-1)?.query.Payload, 'ABCD')
  assert.deepEqual(simulator.findDevice(devEui)?.queue, ['abcd'])
  await connection.flushDownlinks(devEui)
  assert.deepEqual(simulator.findDevice(devEui)?.queue, [])
})

test('tells a downlink that is refused from one to say again and one of a wrong account', async (t) => {
  const bench = await connectToActility(t)
  await bench.connection.setCallback(callback)
  const { devEui } = doorSensor
  const queue = () =>
    bench.connection.queueDownlink({ devEui, fPort: 3, payload: Buffer.of(1), confirmed: false })
  await assert.rejects(queue(), failsWith('refused', /Invalid DevEUI/))
  await bench.connection.addDevice(doorSensor)
  const answers: [number, NetworkError['kind']][] = [
    [103, 'refused'],
    [111, 'unauthorized'],
    // Not refused for good because of a clock: it goes out when the clocks agree again.
    [110, 'not_yet'],
    [115, 'not_yet'],
    [121, 'not_yet'],
  ]
  for (const [code, kind] of answers) {
    const body = { code, message: 'words of ThingPark' }
    bench.http.faults.answers['POST /thingpark/lrc/rest/v2/downlink'] = { status: 409, body }
    await assert.rejects(queue(), (error: NetworkError) => {
      assert.match(error.message, /words of ThingPark/)
      assert.deepEqual([error.kind, error.isUndone], [kind, true], String(code))
      return true
    })
  }
})
