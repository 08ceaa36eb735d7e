import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { addLocalDevice, euiOf } from '../../../../test/fleet.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const callback = await connectChirpStack(service)

const lora = (spreadingFactor: number) => {
  return { lora: { bandwidth: 125_000, spreadingFactor, codeRate: 'CR_4_5' } }
}
const lrFhss = { lrFhss: { operatingChannelWidth: 137_000 } }

/** All have 3 bytes of payload, so 16 of the frame. */
async function send(device: number, time: string, frequency: number, modulation: object) {
  const txInfo = { frequency, modulation }
  const at = `2026-02-28T${time}Z`
  const up = makeUp({ eui: euiOf(device), time: at, txInfo, hex: '100301' })
  const { status, text } = await post(service, callback, up)
  assert.equal(status, 200, text)
}

async function read(device: number) {
  const query = 'since=2026-02-28T12:00:00Z&until=2026-02-28T15:00:00Z'
  const url = `/v1/devices/${euiOf(device)}/airtime?${query}`
  const { status, body, text } = await service.call('GET', url)
  assert.equal(status, 200, text)
  return body.data
}

/** The share of a band's hour, in millionths. */
const millionths = ({ used }: { used: number }) => Math.round(used * 1_000_000)

test('adds up the airtime by the hour, and compares it with what the band allows', async () => {
  await addLocalDevice(service, 1)
  await send(1, '12:00:00', 868_100_000, lora(12))
  await send(1, '12:30:00', 868_300_000, lora(12))
  await send(1, '12:40:00', 864_100_000, lora(7))
  await send(1, '13:10:00', 868_500_000, lora(7))
  await send(1, '13:20:00', 868_650_000, lora(7))
  await send(1, '13:30:00', 868_100_000, lrFhss)
  const { bands, hours, ...sums } = await read(1)
  assert.deepEqual(sums, {
    since: '2026-02-28T12:00:00.000000Z',
    until: '2026-02-28T15:00:00.000000Z',
    is_complete: true,
    uplinks: 6,
    airtime_ms: 2792.192,
    untimed: 1,
  })
  const [first, second] = hours
  assert.equal(hours.length, 2)
  assert.deepEqual(
    [first.time, first.uplinks, first.airtime_ms],
    ['2026-02-28T12:00:00.000000Z', 3, 2689.28],
  )
  // 0.1 % of an hour are 3.6 seconds, and 1 % are 36.
  const ofFirst = first.bands.map((each: { band: string; used: number }) => {
    return [each.band, millionths(each)]
  })
  assert.deepEqual(ofFirst, [
    ['K', 14_293],
    ['M', 73_273],
  ])
  assert.deepEqual(
    [second.uplinks, second.airtime_ms, second.bands.length, second.bands[0].airtime_ms],
    [3, 102.912, 1, 51.456],
  )
  const [k, m] = bands
  assert.deepEqual([k.band, k.limit, k.airtime_ms], ['K', 0.001, 51.456])
  assert.deepEqual([m.band, m.from, m.to, m.airtime_ms], ['M', 868_000_000, 868_600_000, 2689.28])
  assert.deepEqual(
    [m.busiest_hour.time, m.busiest_hour.airtime_ms, millionths(m.busiest_hour)],
    ['2026-02-28T12:00:00.000000Z', 2637.824, 73_273],
  )
})

test('a device of another region has no duty cycle of EU868', async () => {
  await addLocalDevice(service, 2)
  const { db } = service.services
  await db.query(`update devices set app_region = 'IN865' where eui = $1`, [euiOf(2)])
  await send(2, '12:00:00', 865_100_000, lora(7))
  const { bands, hours, airtime_ms } = await read(2)
  assert.deepEqual([bands, airtime_ms, hours[0].bands], [[], 51.456, []])
})

test('shows nothing of a device that sent nothing, and refuses a range that makes no sense', async () => {
  await addLocalDevice(service, 3)
  const { uplinks, airtime_ms, bands, hours } = await read(3)
  assert.deepEqual([uplinks, airtime_ms, bands, hours], [0, 0, [], []])
  const query = 'since=2026-03-01T00:00:00Z&until=2026-02-01T00:00:00Z'
  const refused = await service.call('GET', `/v1/devices/${euiOf(3)}/airtime?${query}`)
  assert.deepEqual(
    [refused.status, refused.body.message],
    [422, 'The since must be before the until.'],
  )
})
