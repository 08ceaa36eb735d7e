import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { addGateway, addLocalDevice, euiOf, gatewayEuiOf } from '../../../../test/fleet.ts'
import { startTestService } from '../../../../test/service.ts'
import { learnRhythms } from '../inventory/learn-rhythms.ts'

const service = await startTestService({ after }, { clock: new Date('2026-03-01T12:00:00Z') })
const { call, services, setClock } = service
const callback = await connectChirpStack(service)

const pass = (minutes: number) => setClock(new Date(services.now().getTime() + minutes * 60_000))

interface Heard {
  gateways?: number[]
  rssi?: number
  snr?: number
  hex?: string
}

/** An uplink of a device now. */
async function send(device: number, { gateways = [1], rssi = -80, snr = 5, hex }: Heard = {}) {
  const rxInfo = gateways.map((number, index) => ({
    gatewayId: gatewayEuiOf(number).toLowerCase(),
    rssi: rssi - index,
    snr: snr - index,
  }))
  const time = services.now().toISOString()
  const up = makeUp({ eui: euiOf(device), time, rxInfo, ...(hex ? { hex } : {}) })
  const { status, text } = await post(service, callback, up)
  assert.equal(status, 200, text)
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
async function read(device: number): Promise<any> {
  const answer = await call('GET', `/v1/fleet/devices/${euiOf(device)}/silence`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

const codesOf = (data: { causes: { code: string }[] }) => data.causes.map(({ code }) => code)

const { id: roof } = await addGateway(service, 1, { gateway_name: 'Roof' })
await addLocalDevice(service, 90)

test('names the gateways that heard it last, and that they are online', async () => {
  await addLocalDevice(service, 1)
  for (let turn = 0; turn < 6; turn += 1) {
    await send(1, { gateways: turn < 5 ? [1, 2] : [1] })
    await pass(10)
  }
  await learnRhythms(services)
  await pass(180)
  // Another device is heard by the same gateway.
  await send(90)
  const data = await read(1)
  assert.deepEqual(
    [data.last_seen, Math.round(data.usual_seconds), data.uplinks],
    ['2026-03-01T12:50:00.000000Z', 600, 6],
  )
  const [best, other] = data.gateways
  assert.deepEqual(
    [best.gateway_eui, best.id, best.name, best.uplinks, best.last_heard, best.verdict.state],
    [gatewayEuiOf(1), roof, 'Roof', 6, '2026-03-01T12:50:00.000000Z', 'ok'],
  )
  assert.deepEqual(
    [other.gateway_eui, other.id, other.verdict, other.uplinks, other.rssi, other.snr],
    [gatewayEuiOf(2), null, null, 5, -81, 4],
  )
  assert.deepEqual(
    [data.rssi, data.snr],
    [
      { before: -80, last: -80 },
      { before: 5, last: 5 },
    ],
  )
  assert.deepEqual(codesOf(data), ['device'])
  assert.match(data.causes[0].message, /most likely at the device/)
})

test('a gateway that is silent too is the most likely cause', async () => {
  await addLocalDevice(service, 2)
  await send(2)
  await pass(60 * 24 + 1)
  const data = await read(2)
  assert.equal(data.gateways[0].verdict.state, 'silent')
  assert.equal(codesOf(data)[0], 'gateways_silent')
  assert.match(data.causes[0].message, /^Roof, the only gateway/)
})

test('a low battery and a signal that fell come before what only people know', async () => {
  await addLocalDevice(service, 3)
  // A supervisory message with 2.8 V, and door events.
  await send(3, { hex: '12011a0128' })
  for (const rssi of [-80, -82, -90, -101, -110, -118, -119])
    await send(3, { rssi, snr: rssi / 10 })
  await pass(5)
  await send(90)
  const data = await read(3)
  assert.deepEqual(data.rssi, { before: -80, last: -118.5 })
  assert.deepEqual(codesOf(data), ['low_battery', 'signal_fell', 'weak_signal', 'tamper'])
  assert.match(data.causes[1].message, /RSSI from -80 to -118.5 dBm/)
})

test('a device that was never heard has no gateways, and its account may be the cause', async () => {
  await addLocalDevice(service, 4)
  const data = await read(4)
  assert.deepEqual(
    [data.last_seen, data.usual_seconds, data.uplinks, data.rssi, data.gateways],
    [null, null, 0, null, []],
  )
  assert.ok(codesOf(data).length > 0)
  assert.equal((await call('GET', `/v1/fleet/devices/${euiOf(99)}/silence`)).status, 404)
})
