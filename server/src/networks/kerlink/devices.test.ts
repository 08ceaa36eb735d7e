import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  abpRadio,
  connectToKerlink,
  kerlinkDevice as device,
  failsWith,
  type KerlinkBench,
  networkKey,
} from '../../../test/network-connections.ts'
import type { DeviceRadio } from '../device-radio.ts'
import type { NetworkError } from '../network-error.ts'

const { devEui } = device
const route = '/gms/application/endDevices/:devEui'

function recordOf({ side }: KerlinkBench) {
  const found = side.devices.get(devEui)
  assert.ok(found)
  return found.record
}

test('registers a device in the cluster with all that Wanesy requires', async (t) => {
  const bench = await connectToKerlink(t)
  await bench.connection.addDevice(device)
  assert.deepEqual(recordOf(bench), {
    devEui,
    name: 'Back door',
    activation: 'OTAA',
    classType: 'A',
    macVersion: '1.0.2',
    regParamsRevision: 'B',
    rfRegion: 'EU868',
    appEui: device.joinEui,
    appKey: device.appKey,
    adrEnabled: true,
    cluster: { id: 1 },
    profile: 'STATIC',
    geolocation: 'NONE',
  })
})

test('registers a device in the version of its model', async (t) => {
  const bench = await connectToKerlink(t)
  const model = { vendor: 'Acme', model: 'Probe', firmware: null, region: 'EU868', details: {} }
  const radio = { activation: 'otaa', deviceClass: 'A', supportsClassB: false } as const
  const versions = { macVersion: '1.0.3', regionalParameters: 'A' }
  await bench.connection.addDevice({ ...device, model: { ...model, ...radio, ...versions } })
  const { macVersion, regParamsRevision } = recordOf(bench)
  assert.deepEqual([macVersion, regParamsRevision], ['1.0.3', 'A'])
})

test('takes profile and geolocation from a device of the cluster', async (t) => {
  const bench = await connectToKerlink(t)
  const other = '00AA0000000000A9'
  bench.side.putDevice(other, 'Truck', {
    devEui: other,
    cluster: { id: 1 },
    profile: 'MOBILE',
    geolocation: 'TDOA',
  })
  await bench.connection.addDevice(device)
  const { profile, geolocation } = recordOf(bench)
  assert.deepEqual([profile, geolocation], ['MOBILE', 'TDOA'])
})

test('adopts a device of the cluster, and changes only its name', async (t) => {
  const bench = await connectToKerlink(t)
  await bench.connection.addDevice(device)
  recordOf(bench).profile = 'MOBILE'
  await bench.connection.addDevice({ ...device, name: 'Front door' })
  assert.equal(bench.simulator.findDevice(devEui)?.name, 'Front door')
  assert.equal(recordOf(bench).profile, 'MOBILE')
  const { calls } = bench.http
  assert.equal(calls.filter(({ method }) => method === 'DELETE').length, 0)
  delete recordOf(bench).appKey
  await bench.connection.addDevice(device)
  assert.equal(calls.filter(({ method }) => method === 'DELETE').length, 0)
})

test('makes a device new whose key or region is another one, which cannot be changed', async (t) => {
  const bench = await connectToKerlink(t)
  await bench.connection.addDevice(device)
  const appKey = 'F'.repeat(32)
  await bench.connection.addDevice({ ...device, appKey, region: 'US915' })
  assert.deepEqual([recordOf(bench).appKey, recordOf(bench).rfRegion], [appKey, 'US915'])
})

test('leaves a device of another cluster as it is', async (t) => {
  const bench = await connectToKerlink(t)
  bench.side.putDevice(devEui, 'Not ours', { devEui, cluster: { id: 2 }, activation: 'OTAA' })
  await assert.rejects(
    bench.connection.addDevice(device),
    (error: NetworkError) => error.kind === 'refused' && /another cluster/.test(error.message),
  )
  await assert.rejects(bench.connection.renameDevice(devEui, 'Ours'), /has no device/)
  await bench.connection.removeDevice(devEui)
  assert.equal(bench.simulator.findDevice(devEui)?.name, 'Not ours')
  assert.ok(bench.http.calls.every(({ method }) => method === 'GET' || method === 'POST'))
})

test('registers devices without a join and of class C, and adopts the same session', async (t) => {
  const bench = await connectToKerlink(t)
  const { connection, http } = bench
  const fixed = { ...device, radio: abpRadio }
  await connection.addDevice(fixed)
  const sessionOf = () => {
    const { activation, classType, devAddr, nwkSKey, appSKey, appKey } = recordOf(bench)
    return [activation, classType, devAddr, nwkSKey, appSKey, appKey]
  }
  const session = ['ABP', 'C', '26011AB1', networkKey, device.appKey, undefined]
  assert.deepEqual(sessionOf(), session)
  delete recordOf(bench).nwkSKey
  await connection.addDevice({ ...fixed, name: 'Gate', radio: { ...abpRadio, deviceClass: 'A' } })
  assert.equal(bench.simulator.findDevice(devEui)?.name, 'Gate')
  assert.equal(recordOf(bench).classType, 'A')
  assert.ok(
    http.calls.every(({ method }) => method !== 'DELETE'),
    'it keeps its counters',
  )
  const words = /has the device 00AA0000000000\w\w already, as one without a join \(ABP\); here/
  await assert.rejects(connection.addDevice(device), failsWith('refused', words))
  assert.equal(recordOf(bench).activation, 'ABP')
  await connection.addDevice({ ...fixed, radio: { ...abpRadio, devAddr: '26011AB2' } })
  assert.deepEqual(sessionOf(), session.with(2, '26011AB2'))
  await connection.removeDevice(devEui)

  const ofClassC = { ...device, radio: { ...abpRadio, activation: 'otaa' } } as const
  await connection.addDevice(ofClassC)
  assert.deepEqual([recordOf(bench).classType, recordOf(bench).appKey], ['C', device.appKey])
  await connection.addDevice(device)
  assert.equal(recordOf(bench).classType, 'C', 'left as it is')
  await assert.rejects(connection.addDevice(fixed), failsWith('refused', /with a join \(OTAA\)/))
})

test('passes on what Wanesy refuses of a session', async (t) => {
  const { connection, side } = await connectToKerlink(t)
  for (const [changes, words] of [
    [{ devAddr: undefined }, /devAddr is mandatory/],
    [{ networkKey: 'AABB' }, /invalid nwkSKey/],
  ] as const) {
    const radio = { ...abpRadio, ...changes } as DeviceRadio
    await assert.rejects(connection.addDevice({ ...device, radio }), failsWith('refused', words))
  }
  assert.equal(side.devices.size, 0)
})

test('finds the cluster of a device by its link as well', async (t) => {
  const bench = await connectToKerlink(t)
  const links = [{ rel: 'cluster', href: '/application/clusters/1' }]
  const body = { devEui, name: 'Running', activation: 'OTAA', links }
  bench.side.putDevice(devEui, 'Running', {})
  bench.http.faults.answers[`GET ${route}`] = { status: 200, body }
  await bench.connection.renameDevice(devEui, 'Found')
  assert.equal(bench.simulator.findDevice(devEui)?.name, 'Found')
})

test('completes a registration whose answer was lost', async (t) => {
  const bench = await connectToKerlink(t)
  const { profile, ...record } = { profile: 'STATIC', devEui, cluster: { id: 1 } }
  bench.http.faults.answers[`PUT ${route}`] = () => {
    bench.side.putDevice(devEui, 'half done', { ...record, profile })
    return { status: 504 }
  }
  await assert.rejects(
    bench.connection.addDevice(device),
    (error: NetworkError) => error.kind === 'unreachable' && !error.isUndone,
  )
  await bench.connection.addDevice(device)
  assert.equal(bench.simulator.findDevice(devEui)?.name, device.name)
})

test('passes on every word of a refusal, and takes a missing device for removed', async (t) => {
  const {
    connection,
    http: { faults },
  } = await connectToKerlink(t)
  await connection.removeDevice(devEui)
  faults.answers[`PUT ${route}`] = {
    status: 400,
    body: { code: 'INVALID', message: 'invalid fields', errors: [{ message: 'bad profile' }] },
  }
  await assert.rejects(connection.addDevice(device), /invalid fields bad profile/)
  faults.answers[`GET ${route}`] = { status: 400, body: { code: 'END_DEVICE_NOT_FOUND' } }
  await connection.removeDevice(devEui)
})

test('lists the devices of the cluster, page by page', async (t) => {
  const bench = await connectToKerlink(t)
  for (let number = 0; number < 120; number += 1) {
    bench.simulator.addDevice(`00AA00000000${String(1000 + number)}`, `Door ${number}`)
  }
  bench.side.putDevice(devEui, 'Not ours', { devEui, cluster: { id: 2 } })
  const pages = await Array.fromAsync(bench.connection.listDevices())
  assert.deepEqual(
    pages.map((page) => page.length),
    [100, 20],
  )
  assert.deepEqual(pages[0]?.[0], {
    eui: '00AA000000001000',
    name: 'Door 0',
    radio: { activation: 'otaa' },
  })
})
