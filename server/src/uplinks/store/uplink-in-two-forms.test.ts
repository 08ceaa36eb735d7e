import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSimulator } from '../../../simulators/index.ts'
import { addDevice, addLocalDevice, connectAccount } from '../../../test/fleet.ts'
import { foundOrganization } from '../../../test/members.ts'
import { type Login, startTestService } from '../../../test/service.ts'

/** LORIOT sends one uplink as `rx`, with the best signal, and as `gw`, with its gateways. */

const frame = { EUI: '00AA0000000000A1', port: 1, dr: 'SF7 BW125 4/5', data: '100301' }
const gws = [
  { gweui: '00BB0000000000B2', rssi: -90, snr: 2, lat: 47.5, lon: 8.5 },
  { gweui: '00BB0000000000B1', rssi: -60, snr: 9, lat: 47.1, lon: 8.1 },
]

const service = await startTestService({ after })
const simulator = await startSimulator('loriot')
after(() => simulator.close())
const { callback } = await connectAccount(service, 'loriot', simulator.account)
await addDevice(service, frame.EUI, { network: 6 })
const other = await foundOrganization(service, 'other@example.test')
const otherServer = { ...simulator.account, server: 'http://127.0.0.1:1' }
const { callback: otherCallback } = await connectAccount(service, 'loriot', otherServer, other)
const otherFrame = { ...frame, EUI: '00AA0000000000A2' }
await addLocalDevice(service, otherFrame.EUI, { network: 6 }, other)

async function send(body: object, { url, header, value } = callback) {
  const { pathname } = new URL(url)
  const headers = { [header]: value }
  const answer = await service.call('POST', pathname, { as: null, body, headers })
  assert.equal(answer.status, 200, answer.text)
}

async function list(eui: string, as: Login = service.owner) {
  const { body } = await service.call('GET', `/v1/devices/${eui}/uplink`, { as })
  return body.data
}

for (const [fcnt, order] of [
  ['rx', 'gw'],
  ['gw', 'rx'],
  ['rx', 'gw', 'rx'],
].entries()) {
  test(`stores one uplink with the gateways of both, sent as ${order.join(', ')}`, async () => {
    const common = { ...frame, fcnt, ts: 1772366400000 + fcnt * 1000 }
    for (const cmd of order) {
      await send({ cmd, ...common, ...(cmd === 'gw' ? { gws } : { rssi: -60, snr: 9 }) })
    }
    const { body } = await service.call('GET', `/v1/devices/${frame.EUI}/uplink`)
    assert.equal(body.data.length, fcnt + 1)
    const [{ rssi, snr, lat, lng, additional_data }] = body.data
    assert.deepEqual([rssi, snr, lat, lng].map(Number), [-60, 9, 47.1, 8.1])
    assert.deepEqual(
      additional_data.gateways.map((gateway: { gateway_eui: string }) => gateway.gateway_eui),
      ['00BB0000000000B1', '00BB0000000000B2'],
    )
  })
}

test('keeps the signal of an uplink that comes without gateways alone', async () => {
  await send({ cmd: 'rx', ...frame, fcnt: 9, ts: 1772366500000, rssi: -71, snr: 4 })
  const { body } = await service.call('GET', `/v1/devices/${frame.EUI}/uplink`)
  assert.deepEqual([body.data[0].rssi, body.data[0].snr].map(Number), [-71, 4])
})

test('leaves all other uplinks as they are', async () => {
  const common = { fcnt: 20, ts: 1772366600000 }
  const ofOther = { cmd: 'rx', rssi: -99, snr: -3 }
  // As many as this organization has, so that there is one with the same ordinal.
  for (let at = 0; at < 5; at += 1) {
    const later = { ...common, fcnt: at, ts: common.ts + at * 1000 }
    await send({ ...otherFrame, ...later, ...ofOther }, otherCallback)
  }
  const [before, ofOthers] = [await list(frame.EUI), await list(otherFrame.EUI, other)]
  for (const more of [
    { cmd: 'rx', rssi: -60, snr: 9 },
    { cmd: 'gw', gws },
  ]) {
    await send({ ...frame, ...common, ...more })
  }
  assert.deepEqual((await list(frame.EUI)).slice(1), before)
  assert.deepEqual(await list(otherFrame.EUI, other), ofOthers)
  assert.deepEqual([before.length, ofOthers.length], [4, 5])
})
