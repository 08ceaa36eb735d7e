import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeFrame } from './decode.ts'
import type { Reading } from './sensor.ts'
import published from './vectors/radio-bridge-frames.json' with { type: 'json' }

type Normalized = Record<string, unknown>

interface PublishedFrame {
  id: string
  hex: string
  normalized: Normalized
  console_text?: string
}

/** Where a key of `normalized` is found in a reading. */
const readers: Record<string, (reading: Reading) => unknown> = {
  counter: ({ sequence }) => sequence[0],
  event_code: ({ event }) => eventCodes[event],
  kind: ({ description }) => kinds[description],
  state: ({ values }) => String(values.state).replaceAll(' ', '_'),
  button_id: ({ values }) => `0x${Number(values.buttonId).toString(16).padStart(2, '0')}`,
  angle_deg: ({ values }) => values.angle,
  temperature_c: ({ values }) => values.temperature,
  humidity_pct: ({ values }) => values.humidity,
  relative: ({ values }) => values.relativeMeasurement,
  relative_resistance: ({ values }) => values.relativeResistance,
  radio_comm_error: ({ values }) => values.radioCommunicationError,
  battery_low: ({ values }) => values.batteryLow,
  error_with_last_downlink: ({ values }) => values.errorWithLastDownlink,
  tamper_state: ({ values }) => values.tamperState,
  tamper_since_last_reset: ({ values }) => values.tamperSinceLastReset,
  sensor_state: ({ values }) => values.sensorState,
  battery_v: ({ values }) => values.battery,
  extended_state: ({ values }) => hexadecimal(values.extendedSensorState),
  accumulation_count: ({ values }) => values.accumulationCount,
  sensor_type: ({ values }) => `0x${hexadecimal([Number(values.sensorTypeCode)])}`,
  hardware_version: ({ values }) => values.hardwareVersion,
  firmware_version: ({ values }) => values.firmwareVersion,
  reset_code: ({ values }) => values.resetCode,
  status: ({ acknowledgement }) => acknowledgement?.status,
  echo: ({ acknowledgement }) => acknowledgement?.echo,
  sub_band: ({ values }) => values.subBand,
  rssi_dbm: ({ values }) => values.rssi,
  snr_db: ({ values }) => values.snr,
}

const eventCodes: Record<string, string> = {
  RESET: '0x00',
  SUPERVISOR: '0x01',
  TAMPER: '0x02',
  DOOR_SENSOR: '0x03',
  PUSH_BUTTON: '0x06',
  CONTACT_SENSOR: '0x07',
  WATER_SENSOR: '0x08',
  TEMPERATURE_EVENT: '0x09',
  TILT_EVENT: '0x0A',
  AIR_TEMP_HUMIDITY_SENSOR: '0x0D',
  LINK_QUALITY: '0xFB',
  DOWNLINK: '0xFF',
}

const kinds: Record<string, string> = {
  'Temperature has risen above upper threshold': 'above_upper_threshold',
  'Humidity has risen above upper threshold': 'humidity_above_upper',
  'Sensor transitioned to horizontal': 'to_horizontal',
  'Report on change toward vertical': 'change_toward_vertical',
  'Report on change toward horizontal': 'change_toward_horizontal',
}

/** Names of the published reading that say nothing beside `event_code`. */
const ignored = new Set(['protocol', 'event'])

function hexadecimal(bytes: unknown): string {
  assert.ok(Array.isArray(bytes))
  return Uint8Array.from(bytes).toHex().toUpperCase()
}

const frames: readonly PublishedFrame[] = published.frames
const decoded = new Set(Object.values(eventCodes))

test('reads every published frame as the manuals say', () => {
  let compared = 0
  for (const { id, hex, normalized } of frames) {
    if (!decoded.has(String(normalized.event_code))) continue
    const reading = decodeFrame({ bytes: Uint8Array.fromHex(hex), fPort: 2 })
    for (const [key, expected] of Object.entries(normalized)) {
      if (ignored.has(key)) continue
      const read = readers[key]
      assert.ok(read, `${id}: nothing reads ${key}`)
      assert.deepEqual(read(reading), expected, `${id}: ${key}`)
    }
    compared += 1
  }
  assert.equal(compared, 30)
})

test("prints what the maker's console prints", () => {
  let compared = 0
  for (const { id, hex, normalized, console_text: text } of frames) {
    if (text === undefined || !decoded.has(String(normalized.event_code))) continue
    const { lines } = decodeFrame({ bytes: Uint8Array.fromHex(hex), fPort: 2 })
    assert.deepEqual(lines, text.split('\n'), id)
    compared += 1
  }
  assert.equal(compared, 5)
})
