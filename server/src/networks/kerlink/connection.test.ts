import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addConfiguration } from '../../../simulators/kerlink/push-routes.ts'
import {
  callbackOf,
  connectToKerlink,
  kerlinkDevice as device,
  kerlinkGateway as gateway,
  type KerlinkBench,
} from '../../../test/network-connections.ts'
import type { NetworkError } from '../network-error.ts'

const callback = callbackOf('kerlink')

const base = '/gms/application'

function configurationsOf({ store }: KerlinkBench) {
  return [...store.pushConfigurations.values()].map(({ dto }) => dto)
}

test('tells a wrong password, without repeating it, and a cluster that is not there', async (t) => {
  const wrong = await connectToKerlink(t, { password: 'wr0ng-password' })
  await assert.rejects(wrong.connection.check(), (error: NetworkError) => {
    assert.equal(error.kind, 'unauthorized')
    assert.match(error.message, /bad credentials/)
    return !error.message.includes('wr0ng-password')
  })
  const { connection } = await connectToKerlink(t, { cluster_id: '99' })
  await assert.rejects(
    connection.check(),
    (error: NetworkError) => error.kind === 'refused' && /cluster 99/.test(error.message),
  )
})

test('logs in once for many calls, and again when the token has ended', async (t) => {
  const {
    connection,
    store,
    http: { calls },
  } = await connectToKerlink(t)
  await Promise.all([connection.check(), connection.check()])
  const logins = () => calls.filter(({ path }) => path === `${base}/login`).length
  assert.equal(logins(), 1)
  store.tokens.clear()
  await connection.check()
  assert.equal(logins(), 2)
})

test('shows neither its password nor its token in an error', async (t) => {
  const {
    connection,
    store,
    simulator,
    http: { faults },
  } = await connectToKerlink(t)
  await connection.check()
  const message = `${simulator.account.password} ${[...store.tokens.keys()][0]}`
  faults.answers[`GET ${base}/clusters/:id`] = { status: 400, body: { message } }
  await assert.rejects(
    connection.check(),
    (error: NetworkError) => error.message === 'Wanesy refused: [secret] [secret].',
  )
})

test('enters one push configuration, and has the cluster use it in hexadecimal', async (t) => {
  const bench = await connectToKerlink(t)
  await bench.connection.setCallback(callback)
  await bench.connection.setCallback({ ...callback, value: 'another-secret' })
  const [configuration, ...others] = configurationsOf(bench)
  assert.deepEqual(others, [])
  assert.deepEqual(
    [configuration?.type, configuration?.msgDetailLevel, configuration?.url],
    ['HTTP', 'NETWORK', callback.url],
  )
  assert.deepEqual(configuration?.headers, [{ key: 'x-callback-secret', value: 'another-secret' }])
  const [cluster] = bench.store.clusters
  assert.deepEqual([cluster?.pushEnabled, cluster?.hexa], [true, true])
  assert.deepEqual(bench.side.callbacks[0]?.headers, { 'x-callback-secret': 'another-secret' })
  await bench.connection.removeCallback(callback)
  await bench.connection.removeCallback(callback)
  assert.deepEqual([configurationsOf(bench), cluster?.pushEnabled], [[], false])
})

test('keeps the headers that the owner has added to its push configuration', async (t) => {
  const bench = await connectToKerlink(t)
  await bench.connection.setCallback(callback)
  const [configuration] = configurationsOf(bench)
  assert.ok(configuration)
  const own = { key: 'X-Of-The-Owner', value: '1' }
  configuration.headers = [own, { key: 'X-Callback-Secret', value: 'old' }]
  await bench.connection.setCallback(callback)
  const headers = [own, { key: callback.header, value: callback.value }]
  assert.deepEqual(configurationsOf(bench)[0]?.headers, headers)
})

test('leaves a cluster alone that pushes to somebody else', async (t) => {
  const bench = await connectToKerlink(t)
  const [cluster] = bench.store.clusters
  assert.ok(cluster)
  const url = 'https://elsewhere.example.test'
  cluster.pushConfigurationId = addConfiguration(bench.store, { name: 'Elsewhere', url })
  cluster.pushEnabled = true
  const before = structuredClone(cluster)
  await assert.rejects(
    bench.connection.setCallback(callback),
    (error: NetworkError) => error.kind === 'refused' && /somebody else/.test(error.message),
  )
  await bench.connection.removeCallback(callback)
  assert.deepEqual([cluster, configurationsOf(bench).length], [before, 1])
})

test('queues, lists and cancels downlinks one by one', async (t) => {
  const { connection, simulator } = await connectToKerlink(t)
  await connection.addDevice(device)
  const { devEui } = device
  const queue = (byte: number) =>
    connection.queueDownlink({ devEui, fPort: 2, payload: Buffer.of(byte), confirmed: false })
  const first = await queue(1)
  const second = await queue(2)
  assert.notEqual(first, second)
  assert.deepEqual(await connection.listDownlinks(devEui), [
    { id: first, fPort: 2, payload: Buffer.of(1), confirmed: false, isPending: false },
    { id: second, fPort: 2, payload: Buffer.of(2), confirmed: false, isPending: false },
  ])
  assert.equal(await connection.cancelDownlink(devEui, first), true)
  assert.equal(await connection.cancelDownlink(devEui, first), true)
  assert.deepEqual(simulator.findDevice(devEui)?.queue, ['02'])
})

test('takes no downlink of another device for its own, should the search be ignored', async (t) => {
  const {
    connection,
    http: { faults },
  } = await connectToKerlink(t)
  const item = { fPort: 2, payload: '01', contentType: 'HEXA', confirmed: false }
  const list = [
    { ...item, id: 'theirs', endDevice: { devEui: '00AA0000000000A2' } },
    { ...item, id: 'ours', endDevice: { devEui: device.devEui.toLowerCase() } },
  ]
  faults.answers[`GET ${base}/dataDown`] = { status: 200, body: { list, nbPages: 1 } }
  const found = await connection.listDownlinks(device.devEui)
  assert.deepEqual(
    found.map(({ id }) => id),
    ['ours'],
  )
})

test('switches a cluster to no push configuration that it was not told of', async (t) => {
  const {
    connection,
    store,
    http: { faults },
  } = await connectToKerlink(t)
  faults.answers[`POST ${base}/pushConfigurations`] = { status: 201 }
  await assert.rejects(connection.setCallback(callback), /did not say where/)
  assert.equal(store.clusters[0]?.pushEnabled, false)
})

test('tells a cancel that came too late from one in time', async (t) => {
  const {
    connection,
    simulator,
    http: { faults },
  } = await connectToKerlink(t)
  await connection.addDevice(device)
  const { devEui } = device
  const payload = Buffer.of(1)
  const id = await connection.queueDownlink({ devEui, fPort: 2, payload, confirmed: false })
  await simulator.sendUplink(devEui, '100301')
  assert.equal(await connection.cancelDownlink(devEui, id), false)
  assert.equal(await connection.cancelDownlink(devEui, 'ffffffffffffffffffffffff'), false)
  faults.answers[`DELETE ${base}/dataDown/:id`] = { status: 500 }
  await assert.rejects(
    connection.cancelDownlink(devEui, id),
    (error: NetworkError) => error.kind === 'unreachable',
  )
})

test('creates a gateway with the fleet and brand of the account, or those that it names', async (t) => {
  const { connection, side } = await connectToKerlink(t)
  await connection.gateways.add({ ...gateway, description: 'North side' })
  assert.deepEqual(side.gateways.get(gateway.gatewayEui)?.record, {
    eui: gateway.gatewayEui,
    name: 'Roof',
    description: 'North side',
    region: 'EU868',
    visibility: 'PRIVATE',
    dlAllowed: true,
    adaptiveLatencyEnabled: false,
    fleet: { id: 3 },
    brand: { id: 1 },
  })
  const other = { ...gateway, gatewayEui: '00BB0000000000B2' }
  const settings = { visibility: 'PUBLIC', brand: 'Kerlink', fleet: '3' }
  await connection.gateways.add({ ...other, settings })
  assert.deepEqual(side.gateways.get(other.gatewayEui)?.record.brand, { id: 1 })
  const wrong = { ...other, gatewayEui: '00BB0000000000B3' }
  await assert.rejects(
    connection.gateways.add({ ...wrong, settings: { ...settings, fleet: 'No such' } }),
    /no fleet called No such/,
  )
})

test('changes a gateway that is there already, and leaves the rest of it', async (t) => {
  const { connection, side } = await connectToKerlink(t)
  await connection.gateways.add(gateway)
  await connection.gateways.add({ ...gateway, name: 'Mast', settings: { visibility: 'PUBLIC' } })
  const found = side.gateways.get(gateway.gatewayEui)
  assert.deepEqual([found?.name, found?.record.visibility], ['Mast', 'PRIVATE'])
  assert.deepEqual(await Array.fromAsync(connection.gateways.list()), [
    [{ eui: gateway.gatewayEui, name: 'Mast' }],
  ])
  await connection.gateways.remove(gateway.gatewayEui)
  await connection.gateways.remove(gateway.gatewayEui)
  await assert.rejects(connection.gateways.update(gateway), /gateway not found/)
})
