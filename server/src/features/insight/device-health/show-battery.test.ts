import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { addType } from '../../../../test/device-types.ts'
import { addLocalDevice } from '../../../../test/fleet.ts'
import { startTestService } from '../../../../test/service.ts'
import { rollUp } from '../../../uplinks/rollups/roll-up.ts'

const service = await startTestService({ after })
const callback = await connectChirpStack(service)
const day = 24 * 60 * 60 * 1000

let devices = 0
async function makeDevice(changes: Record<string, unknown> = {}) {
  devices += 1
  const eui = `00AA0000000000${devices.toString(16).padStart(2, '0')}`
  return { id: await addLocalDevice(service, eui, changes), eui }
}

/** Sends a supervisory message with a battery of so many tenths of a volt. */
async function report(eui: string, tenths: number, time: Date): Promise<void> {
  const battery = (Math.floor(tenths / 10) << 4) | (tenths % 10)
  const hex = Uint8Array.from([0x11, 0x01, 0, 1, battery]).toHex()
  const { status } = await post(service, callback, makeUp({ eui, hex, time: time.toISOString() }))
  assert.equal(status, 200)
}

async function read(reference: string) {
  await rollUp(service.services.db)
  const answer = await service.call('GET', `/v1/devices/${reference}/battery`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

const now = new Date('2026-03-01T12:00:00Z')

test('shows readings by day, and no date from too few of them', async () => {
  service.setClock(now)
  const { eui } = await makeDevice()
  await post(service, callback, makeUp({ eui, time: '2026-02-28T00:30:00Z' }))
  await report(eui, 31, new Date('2026-02-28T01:00:00Z'))
  await report(eui, 29, new Date('2026-02-28T20:00:00Z'))
  await report(eui, 30, new Date('2026-03-01T01:00:00Z'))
  assert.deepEqual(await read(eui), {
    unit: 'V',
    low: 2.8,
    empty: 2.5,
    latest: { value: 3, time: '2026-03-01T01:00:00.000000Z' },
    days: [
      { time: '2026-02-28T00:00:00.000000Z', median: 3, min: 2.9, max: 3.1, count: 2 },
      { time: '2026-03-01T00:00:00.000000Z', median: 3, min: 3, max: 3, count: 1 },
    ],
    trend: {
      state: 'too_few_readings',
      since: '2026-02-28T00:00:00.000000Z',
      per_year: null,
      volts_per_year: null,
      empty_at: null,
      empty_from: null,
      empty_to: null,
    },
  })
})

test('tells when a falling battery will be empty, since it was replaced', async () => {
  service.setClock(now)
  const { eui } = await makeDevice()
  const tenths = [26, 26, 26, 32, 32, 32, 31, 31, 31, 30, 30, 30, 29, 29, 29]
  for (const [index, value] of tenths.entries()) {
    await report(eui, value, new Date(now.getTime() - (tenths.length - index) * 10 * day))
  }
  const { trend } = await read(eui)
  assert.equal(trend.state, 'falling')
  assert.equal(trend.since, '2025-11-01T00:00:00.000000Z')
  assert.ok(trend.volts_per_year < -0.8 && trend.volts_per_year > -1.4, trend.volts_per_year)
  const times = [trend.empty_from, trend.empty_at, trend.empty_to].map((time) => Date.parse(time))
  assert.deepEqual(times, times.toSorted())
  assert.ok((times[0] ?? 0) > now.getTime() && (times[2] ?? 0) < now.getTime() + 365 * day)
})

test('a device without readings has none, and an own type that declares no battery no trend', async () => {
  const { id } = await makeDevice()
  const { latest, days, trend } = await read(String(id))
  assert.deepEqual([latest, days, trend.state], [null, [], 'too_few_readings'])
  const own = await makeDevice({ deviceType: (await addType(service)).id })
  const battery = await read(own.eui)
  assert.deepEqual([battery.unit, battery.empty], [null, null])
  assert.equal(battery.trend.state, 'unknown_unit')
})

test('an own type says which of its values is the battery, in V, mV or %', async () => {
  service.setClock(now)
  const codec = `function decodeUplink({ bytes }) {
    return { data: { power: { level: bytes[0], mv: 3000 + 10 * bytes[0] } } }
  }`
  const declared = {
    '%': { name: 'power.level', unit: '%' },
    mV: { name: 'power.mv', unit: 'mV', min: 2100 },
    V: { name: 'power.level', unit: 'V' },
  }
  const found: Record<string, unknown> = {}
  for (const [unit, measurement] of Object.entries(declared)) {
    const measurements = [{ ...measurement, quantity: 'battery' }]
    const { eui } = await makeDevice({
      deviceType: (await addType(service, { codec, measurements })).id,
    })
    for (let index = 0; index < 12; index += 1) {
      const time = new Date(now.getTime() - (12 - index) * 10 * day).toISOString()
      const hex = Uint8Array.from([99 - 2 * index]).toHex()
      const answer = await post(service, callback, makeUp({ eui, hex, time }))
      assert.equal(answer.status, 200)
    }
    const battery = await read(eui)
    const { state, per_year: perYear } = battery.trend
    const { value } = battery.latest
    found[unit] = [battery.unit, battery.empty, value, battery.days.length, state, perYear]
  }
  assert.deepEqual(found, {
    '%': ['%', 0, 77, 12, 'falling', -73.05],
    mV: ['V', 2.1, 3.77, 12, 'falling', -0.7305],
    V: ['V', null, 77, 12, 'unknown_unit', null],
  })
})
