import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../test/chirpstack-uplinks.ts'
import { addLocalDevice } from '../../../test/fleet.ts'
import { fc } from '../../../test/properties.ts'
import { startTestService } from '../../../test/service.ts'
import { mergeStatus } from './batch-changes.ts'
import type { DeviceState } from './writer-queries.ts'

const service = await startTestService({ after })
const callback = await connectChirpStack(service)

let devices = 0
async function makeDevice(): Promise<string> {
  devices += 1
  const eui = `00AA00000000000${devices}`
  await addLocalDevice(service, eui)
  return eui
}

/** Sends a frame that the network received so many seconds after noon. */
async function send(eui: string, hex: string, seconds: number): Promise<void> {
  const time = new Date(Date.UTC(2026, 1, 28, 12, 0, seconds)).toISOString()
  const { status } = await post(service, callback, makeUp({ eui, hex, time }))
  assert.equal(status, 200)
}

async function readDevice(eui: string) {
  const { body } = await service.call('GET', `/v1/devices/${eui}`)
  return body.data ?? body
}

async function readStatus(eui: string): Promise<Record<string, string>> {
  return (await readDevice(eui)).device_status
}

const unknown = {
  lastmsg_time: '--',
  battery: '--',
  tamper: '--',
  tamper_detect_since_reset: '--',
  config_error: '--',
  rate_limit_status: '--',
  current_sensor_state: '--',
  hardware_version: '--',
  firmware_version: '--',
  low_battery: '--',
}

// shows 1.4.13, 2.5.12
test('nothing is known of a device before its first frame', async () => {
  const eui = await makeDevice()
  assert.equal((await readDevice(eui)).last_seen, '--')
  assert.deepEqual(await readStatus(eui), unknown)
})

// shows 1.4.9, 1.4.10, 2.2.7, 2.5.1-12, 10.6.14, 10.7.10
test('reset, supervisory and sensor frames each tell their part', async () => {
  const eui = await makeDevice()
  await send(eui, '100011278850703c', 1)
  const afterReset = {
    ...unknown,
    lastmsg_time: 'Feb 28, 2026 12:00:01 (UTC)',
    hardware_version: '2.7',
    firmware_version: '2.2.16',
  }
  assert.deepEqual(await readStatus(eui), afterReset)

  // Case open, opened since the reset, last downlink in error, battery low.
  await send(eui, '11011e0128', 2)
  const afterSupervisory = {
    ...afterReset,
    lastmsg_time: 'Feb 28, 2026 12:00:02 (UTC)',
    battery: '2.8V',
    low_battery: 'Yes',
    tamper: 'Yes',
    tamper_detect_since_reset: 'Yes',
    config_error: 'Yes',
    rate_limit_status: 'No',
  }
  assert.deepEqual(await readStatus(eui), afterSupervisory)

  await send(eui, '120301', 3)
  await send(eui, '130201', 4)
  await send(eui, '14fc', 5)
  await send(eui, '15ff03', 6)
  assert.deepEqual(await readStatus(eui), {
    ...afterSupervisory,
    lastmsg_time: 'Feb 28, 2026 12:00:06 (UTC)',
    current_sensor_state: 'Open',
    tamper: 'No',
    rate_limit_status: 'Yes',
    config_error: 'No',
  })

  await send(eui, '1601000030', 7)
  assert.deepEqual(await readStatus(eui), {
    ...afterReset,
    lastmsg_time: 'Feb 28, 2026 12:00:07 (UTC)',
    battery: '3.0V',
    low_battery: 'No',
    tamper: 'No',
    tamper_detect_since_reset: 'No',
    config_error: 'No',
    rate_limit_status: 'No',
    current_sensor_state: 'Open',
  })
  assert.equal((await readDevice(eui)).last_seen, '2026-02-28 12:00:07')
})

// shows 10.6.15
test('a case that is opened shows in tamper, until it is closed', async () => {
  const eui = await makeDevice()
  await send(eui, '100200', 1)
  assert.equal((await readStatus(eui)).tamper, 'Yes')
  await send(eui, '110201', 2)
  assert.equal((await readStatus(eui)).tamper, 'No')
})

test('a frame that comes late never overwrites what a later one told', async () => {
  const eui = await makeDevice()
  await send(eui, '100301', 10)
  await send(eui, '110300', 5)
  assert.equal((await readStatus(eui)).current_sensor_state, 'Open')
  assert.equal((await readStatus(eui)).lastmsg_time, 'Feb 28, 2026 12:00:10 (UTC)')
  // What no later frame told, it tells.
  await send(eui, '1201000030', 6)
  assert.equal((await readStatus(eui)).battery, '3.0V')
  assert.equal((await readStatus(eui)).lastmsg_time, 'Feb 28, 2026 12:00:10 (UTC)')
  const { body } = await service.call('GET', `/v1/devices/${eui}/uplink`)
  // Lists keep the order of arrival.
  const times = body.data.map(({ event_time }: { event_time: string }) => event_time.slice(17, 19))
  assert.deepEqual(times, ['06', '05', '10'])
})

test('frames that arrive together leave the state of the latest', async () => {
  const eui = await makeDevice()
  const frames = Array.from({ length: 30 }, (_, index) => index)
  frames.sort((a, b) => ((a * 7) % 30) - ((b * 7) % 30))
  await Promise.all(frames.map((n) => send(eui, n % 2 ? '100301' : '100300', n)))
  const status = await readStatus(eui)
  assert.equal(status.current_sensor_state, 'Open')
  assert.equal(status.lastmsg_time, 'Feb 28, 2026 12:00:29 (UTC)')
})

test('a time in a far future holds the state no longer than until the next frame', async () => {
  const eui = await makeDevice()
  service.setClock(new Date('2026-03-01T12:00:00Z'))
  const up = (hex: string, time: string) => post(service, callback, makeUp({ eui, hex, time }))
  await up('100301', '2099-12-31T23:59:59Z')
  const status = await readStatus(eui)
  assert.equal(status.current_sensor_state, 'Open')
  assert.equal(status.lastmsg_time, 'Mar 01, 2026 12:00:00 (UTC)')
  assert.equal((await readDevice(eui)).last_seen, '2026-03-01 12:00:00')

  service.setClock(new Date('2026-03-01T12:00:05Z'))
  await up('110300', '2026-03-01T12:00:04.5Z')
  assert.equal((await readStatus(eui)).current_sensor_state, 'Closed')
  assert.equal((await readStatus(eui)).lastmsg_time, 'Mar 01, 2026 12:00:04 (UTC)')
  const { body } = await service.call('GET', `/v1/devices/${eui}/uplink`)
  assert.equal(body.data[1].event_time, '2099-12-31T23:59:59.000000Z')
})

test('a frame that nobody can read, and a repeated one, change no more than last_seen', async () => {
  const eui = await makeDevice()
  const time = '2026-02-28T12:00:20Z'
  const up = makeUp({ eui, hex: 'ffff', time })
  await post(service, callback, up)
  const seen = { ...unknown, lastmsg_time: 'Feb 28, 2026 12:00:20 (UTC)' }
  assert.deepEqual(await readStatus(eui), seen)
  await post(service, callback, { ...up, time: '2026-02-28T12:00:40Z' })
  assert.deepEqual(await readStatus(eui), seen)
})

test('the order of arrival makes no difference, but for frames of one moment', () => {
  const moment = fc.integer({ min: 0, max: 99 })
  const frame = fc.record({
    time: moment.map((n) => `2026-02-28T12:00:00.0000${String(n).padStart(2, '0')}Z`),
    change: fc.record(
      {
        battery: fc.constantFrom('2.8V', '3.0V'),
        tamper: fc.constantFrom('Yes' as const, 'No' as const),
        current_sensor_state: fc.string(),
      },
      { requiredKeys: [] },
    ),
  })
  const frames = fc.uniqueArray(frame, { selector: ({ time }) => time, maxLength: 10 })
  const shuffled = frames.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  )
  fc.assert(
    fc.property(shuffled, ([inOrder, mixed]) => {
      assert.deepEqual(withoutSince(merge(mixed)), withoutSince(merge(inOrder)))
    }),
  )
})

/** Since when a warning holds is told by the frames that were not late. */
function withoutSince(state: DeviceState): DeviceState {
  const { since: _, ...times } = state.status_times
  return { ...state, status_times: times }
}

function merge(frames: { time: string; change: object }[]): DeviceState {
  const state: DeviceState = {
    organization_id: 1,
    device_id: 1,
    uplink_count: 0,
    last_seen: null,
    status: {},
    status_times: {},
    has_held_downlinks: false,
    version: '',
  }
  for (const { time, change } of frames) mergeStatus(state, time, change)
  return state
}
