import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { connectChirpStack, makeUp, post } from '../../../test/chirpstack-uplinks.ts'
import { addLocalDevice } from '../../../test/fleet.ts'
import { startTestService } from '../../../test/service.ts'

const service = await startTestService({ after })
const callback = await connectChirpStack(service)
const frames = { open: '100301', closed: '100300' }
/** It says the battery, and no state. */
const supervisory = '10010000000031'

let devices = 0
async function makeDoor(): Promise<string> {
  devices += 1
  const eui = `00AA0000000000${devices.toString(16).padStart(2, '0')}`
  await addLocalDevice(service, eui, { deviceType: 16 })
  return eui
}

const noon = Date.parse('2026-02-28T12:00:00Z')
const at = (minutes: number) => new Date(noon + minutes * 60_000).toISOString()

async function send(eui: string, hex: string, minutes: number): Promise<void> {
  const { status } = await post(service, callback, makeUp({ eui, hex, time: at(minutes) }))
  assert.equal(status, 200)
}

async function read(eui: string, from: number, to: number) {
  const query = new URLSearchParams({ from: at(from), to: at(to) })
  const { status, body, text } = await service.call('GET', `/v1/devices/${eui}/states?${query}`)
  assert.equal(status, 200, text)
  return body.data
}

test('a door is open from its opening until its closing, however often it repeats that', async () => {
  const eui = await makeDoor()
  await send(eui, frames.closed, -60)
  await send(eui, frames.open, 10)
  await send(eui, frames.open, 15)
  await send(eui, supervisory, 16)
  await send(eui, frames.closed, 40)
  await send(eui, frames.open, 50)
  // Late: it belongs between the others.
  await send(eui, frames.closed, 20)
  await send(eui, frames.open, 30)
  const [state, ...others] = await read(eui, 0, 60)
  assert.deepEqual(others, [])
  assert.equal(state.name, 'state')
  const inWords = state.intervals.map(
    ({ text, from, seconds }: { text: string; from: string; seconds: number }) =>
      `${text} ${(Date.parse(from) - noon) / 60_000} ${seconds / 60}`,
  )
  assert.deepEqual(inWords, [
    'Closed 0 10',
    'Open 10 10',
    'Closed 20 10',
    'Open 30 10',
    'Closed 40 10',
    'Open 50 10',
  ])
  const open = state.totals.find(({ value }: { value: string }) => value === 'open')
  assert.deepEqual(open, { value: 'open', text: 'Open', count: 3, seconds: 1800, longest: 600 })
  const closed = state.totals.find(({ value }: { value: string }) => value === 'closed')
  assert.equal(closed.count, 2)
})

test('what goes on has no end, and a range before the first uplink has nothing', async () => {
  const eui = await makeDoor()
  await send(eui, frames.open, 0)
  const later = await read(eui, 5, 1_000_000)
  assert.equal(later[0].intervals[0].to, null)
  assert.deepEqual(await read(eui, -60, 0), [])
  const query = new URLSearchParams({ from: at(5), to: at(5) })
  const { status } = await service.call('GET', `/v1/devices/${eui}/states?${query}`)
  assert.equal(status, 422)
})

test('a value ends when the device falls silent, and lasts while it is heard', async () => {
  const eui = await makeDoor()
  const [hour, window] = [60, 48 * 60]
  await send(eui, frames.open, -5 * window)
  for (const windows of [-4.1, -3.2, -2.3]) await send(eui, supervisory, windows * window)
  await send(eui, supervisory, -hour)
  await send(eui, frames.open, 0)
  const [{ intervals, totals }] = await read(eui, -4.5 * window, hour)
  const inMinutes = intervals.map(({ from, to }: { from: string; to: string | null }) =>
    [from, to].map((time) => time && (Date.parse(time) - noon) / 60_000),
  )
  assert.deepEqual(inMinutes, [
    [-4.5 * window, -1.3 * window],
    [0, hour],
  ])
  assert.equal(totals[0].seconds, (3.2 * window + hour) * 60)
})

test('intervals follow from what was said, in whatever order it comes', async () => {
  const minutes = fc.uniqueArray(fc.integer({ min: -30, max: 90 }), { minLength: 1, maxLength: 12 })
  const said = minutes.chain((times) =>
    fc.tuple(fc.constant(times), fc.array(fc.boolean(), { minLength: 12, maxLength: 12 })),
  )
  await fc.assert(
    fc.asyncProperty(said, async ([times, values]) => {
      const eui = await makeDoor()
      const states = times.map((time, index) => ({
        time,
        value: values[index] ? ('open' as const) : ('closed' as const),
      }))
      for (const { time, value } of states) await send(eui, frames[value], time)
      const [state] = await read(eui, 0, 60)
      const seconds = { open: 0, closed: 0 }
      const ordered = states.toSorted((one, other) => one.time - other.time)
      for (const [index, { time, value }] of ordered.entries()) {
        const end = Math.min(60, ordered[index + 1]?.time ?? 60)
        seconds[value] += Math.max(0, end - Math.max(0, time)) * 60
      }
      for (const value of ['open', 'closed'] as const) {
        const known = state?.totals.find((one: { value: string }) => one.value === value)
        assert.equal(known?.seconds ?? 0, seconds[value])
      }
    }),
    { numRuns: 15 },
  )
})
