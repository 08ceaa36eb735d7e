import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startSimulator as startEverynet } from '../../../simulators/everynet/simulator.ts'
import { foreignEui } from '../../../simulators/everynet/store.ts'
import { doorSensor, failsWith } from '../../../test/network-connections.ts'
import { thisMachine } from '../../../test/outside.ts'
import { anyJoinEui } from '../forms.ts'
import type { AccountValues, NetworkDevice } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { openConnection } from './connection.ts'

async function connect(t: TestContext, changes: AccountValues = {}) {
  const network = await startEverynet()
  const { side } = network
  t.after(() => network.close())
  const connection = openConnection({ ...network.account, ...changes }, thisMachine)
  t.after(() => connection.close())
  return { network, side, http: side.http, connection }
}

const leftDoor: NetworkDevice = { ...doorSensor, name: 'Back door, left', region: 'EU868' }
const downlink = {
  devEui: leftDoor.devEui,
  fPort: 2,
  payload: Buffer.from([1]),
  confirmed: false,
}

test('names the account field that is wrong', async (t) => {
  const wrong = await connect(t, { access_token: 'nonsense' })
  await assert.rejects(wrong.connection.check(), failsWith('unauthorized', /Unauthorized/))
  const other = await connect(t, { connection_id: '5eb858c86c1837f2550ae2cc' })
  await assert.rejects(other.connection.check(), failsWith('refused', /connection_id/))
  const { connection, http } = await connect(t)
  await connection.check()
  http.faults.answers['GET /api/v1.0/connections/:id'] = { status: 403 }
  await connection.check()
})

test('registers a device in the band of its region', async (t) => {
  const { connection, side } = await connect(t)
  const bands = {
    EU868: 'EU863-870',
    US915: 'US902-928',
    AU915: 'AU915-928A',
    AS923: 'AS923-1',
  } as const
  for (const [region, band] of Object.entries(bands)) {
    await connection.addDevice({ ...leftDoor, region: region as keyof typeof bands })
    const device = side.devices.get(leftDoor.devEui)
    assert.deepEqual([device?.record.band, device?.name], [band, 'Back door left'])
    await connection.removeDevice(leftDoor.devEui)
  }
  await assert.rejects(
    connection.addDevice({ ...leftDoor, region: 'KR920' }),
    failsWith('refused', /no band of KR920 here, only: EU863-870/),
  )
})

test('adopts a device of its own organization, and no other', async (t) => {
  const { connection, side } = await connect(t)
  await connection.addDevice(leftDoor)
  await connection.addDevice({ ...leftDoor, appKey: 'F'.repeat(32), joinEui: anyJoinEui })
  const { app_key, app_eui, tags } = side.devices.get(leftDoor.devEui)?.record ?? {}
  assert.deepEqual(
    [app_key, app_eui, tags],
    ['f'.repeat(32), '00aa0000000000ff', ['Back door left']],
  )
  await assert.rejects(
    connection.addDevice({ ...leftDoor, devEui: foreignEui }),
    failsWith('refused', /already exists/),
  )
})

test('registers devices without a join and of class C, and adopts the same session', async (t) => {
  const { connection, side, http } = await connect(t)
  const networkKey = 'AABBCCDDEEFF00112233445566778899'
  const usual = { version: '1.0', activation: 'otaa', deviceClass: 'C' } as const
  const radio = { ...usual, activation: 'abp', devAddr: '26011AB1', networkKey } as const
  const { devAddr: _none, ...homeless } = radio
  for (const [wrong, words] of [
    [homeless, /dev_addr: invalid value/],
    [{ ...radio, networkKey: 'AABB' }, /nwkskey: invalid value/],
  ] as const) {
    const device = { ...leftDoor, radio: wrong }
    await assert.rejects(connection.addDevice(device), failsWith('refused', words))
  }
  await connection.addDevice({ ...leftDoor, radio })
  const record = () => side.devices.get(leftDoor.devEui)?.record
  const sessionOf = () => {
    const { activation, dev_class, dev_addr, nwkskey, appskey, app_key } = record() ?? {}
    return [activation, dev_class, dev_addr, nwkskey, appskey, app_key]
  }
  const [key, appskey] = [networkKey.toLowerCase(), leftDoor.appKey.toLowerCase()]
  const session = ['ABP', 'C', '26011ab1', key, appskey, undefined]
  assert.deepEqual(sessionOf(), session)
  await connection.addDevice({ ...leftDoor, radio: { ...radio, deviceClass: 'A' } })
  assert.deepEqual(http.calls.at(-1)?.body, { dev_class: 'A' }, 'keeps its session')
  await connection.addDevice({ ...leftDoor, radio: { ...radio, devAddr: '26011AB2' } })
  assert.deepEqual(sessionOf(), session.with(2, '26011ab2'))
  const already = /00AA000000000001 already, as one with(out)? a join \((ABP|OTAA)\); here/
  await assert.rejects(connection.addDevice(leftDoor), failsWith('refused', already))
  await connection.removeDevice(leftDoor.devEui)
  await connection.addDevice({ ...leftDoor, radio: usual })
  await connection.addDevice(leftDoor)
  assert.deepEqual([record()?.dev_class, record()?.app_key], ['C', appskey])
  await assert.rejects(connection.addDevice({ ...leftDoor, radio }), failsWith('refused', already))
})

test('removes a device, and what is not there without a fault', async (t) => {
  const { connection, side } = await connect(t)
  await connection.addDevice(leftDoor)
  await connection.removeDevice(leftDoor.devEui)
  await connection.removeDevice(leftDoor.devEui)
  assert.equal(side.devices.size, 0)
})

test('lists devices in pages', async (t) => {
  const { connection, network } = await connect(t)
  for (let index = 0; index < 150; index += 1) {
    network.addDevice(`00AA0000000${String(index).padStart(5, '0')}`, `Sensor ${index}`)
  }
  const pages = await Array.fromAsync(connection.listDevices())
  assert.deepEqual(
    pages.map((page) => page.length),
    [100, 50],
  )
  assert.deepEqual(pages[0]?.[7], {
    eui: '00AA000000000007',
    name: 'Sensor 7',
    radio: { activation: 'otaa', deviceClass: 'A' },
  })
})

test('claims a downlink slot only where the account has the authorization for it', async (t) => {
  const silent = await connect(t)
  assert.equal(await silent.connection.queueDownlink(downlink), undefined)
  assert.equal(silent.http.calls.length, 0)

  const { connection, network, http } = await connect(t, { authorization: 'Token 1' })
  const callback = { url: 'http://127.0.0.1:1/', header: 'authorization', value: 'Token 1' }
  network.setCallback(callback)
  assert.equal(await connection.queueDownlink(downlink), undefined)
  assert.deepEqual(
    http.calls.map(({ method, path, body }) => [method, path, body]),
    [
      [
        'POST',
        '/http2/cb/5eb858c86c1837f2550ae2cb',
        { meta: { device: '00aa000000000001' }, type: 'downlink_claim' },
      ],
    ],
  )
  http.faults.answers['POST /http2/cb/:id'] = { status: 404 }
  await connection.queueDownlink(downlink)
  network.setCallback({ ...callback, value: 'Token 2' })
  await assert.rejects(
    connection.queueDownlink(downlink),
    failsWith('unauthorized', /Unauthorized/),
  )
})

test('never shows the access token in an error', async (t) => {
  const { connection, http, network } = await connect(t)
  const words = { errors: [`bad ${network.account.access_token}`] }
  for (const status of [400, 401, 500]) {
    http.faults.answers['GET /api/v1.0/bands'] = { status, body: words }
    await assert.rejects(connection.addDevice(leftDoor), (error) => {
      assert.ok(error instanceof NetworkError)
      assert.match(error.message, /bad \[secret\]/)
      return true
    })
  }
})

test('is unreachable while Everynet is away', async (t) => {
  const { connection, http } = await connect(t)
  http.faults.isAway = true
  await assert.rejects(connection.check(), failsWith('unreachable', /could not be reached/))
})
