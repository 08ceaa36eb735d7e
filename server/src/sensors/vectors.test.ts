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

/** Finds the value for a key of `normalized` in a reading. */
const readers: Record<string, (reading: Reading) => unknown> = {
  protocol: ({ values }) => values.protocolVersion ?? 1,
  counter: ({ sequence }) => sequence[0],
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
  distance_mm: ({ values }) => values.distance,
  current_ma: ({ values }) => values.current,
  voltage_v: ({ values }) => values.voltage,
  fault_bits: ({ values }) => `0x${hexadecimal([Number(values.faultBits)])}`,
  channel: ({ values }) => values.channel,
  velocity_in_s: ({ values }) => values.velocity,
  g_force: ({ values }) => values.acceleration,
  bias_v: ({ values }) => values.biasVoltage,
  duration_s: ({ values }) => values.rainDuration,
  accumulation_mm: ({ values }) => values.rainAccumulation,
  intensity_mm_h: ({ values }) => values.rainIntensity,
  min_mps: ({ values }) => values.windSpeedMinimum,
  avg_mps: ({ values }) => values.windSpeedAverage,
  max_mps: ({ values }) => values.windSpeedMaximum,
  pressure_pa: ({ values }) => values.pressure,
  heating_temperature_c: ({ values }) => values.heatingTemperature,
  heating_voltage_v: ({ values }) => values.heatingVoltage,
  supply_voltage_v: ({ values }) => values.supplyVoltage,
  reference_voltage_v: ({ values }) => values.referenceVoltage,
  valid_fix: ({ values }) => values.validFix,
  movement_started: ({ values }) => values.movementStarted,
  movement_stopped: ({ values }) => values.movementStopped,
  checksum_failure: ({ values }) => values.checksumFailure,
  sensor_id: ({ values }) => values.sensorId,
  payload: ({ values }) => hexadecimal(values.sensorPayload).toLowerCase(),
  x_mg: ({ values }) => values.fieldX,
  y_mg: ({ values }) => values.fieldY,
  z_mg: ({ values }) => values.fieldZ,
  channel_field: ({ values }) => Number(values.channel) - 1,
  values: ({ values }) => values.energies,
}

const events: Record<string, string> = {
  reset: 'RESET',
  supervisory: 'SUPERVISOR',
  tamper: 'TAMPER',
  door_window: 'DOOR_SENSOR',
  push_button: 'PUSH_BUTTON',
  contact: 'CONTACT_SENSOR',
  water: 'WATER_SENSOR',
  temperature: 'TEMPERATURE_EVENT',
  tilt: 'TILT_EVENT',
  tank_level: 'TANK_LEVEL_SENSOR',
  air_temperature_humidity: 'AIR_TEMP_HUMIDITY_SENSOR',
  acceleration_movement: 'ACCELERATION_MOVEMENT_SENSOR',
  high_precision_tilt: 'HIGH_PRECISION_TILT_SENSOR',
  ultrasonic_level: 'WIRELESS_ULTRASONIC_LEVEL_SENSOR',
  current_loop_4_20ma: 'WIRELESS_420MA_CURRENT_LOOP_SENSOR',
  thermocouple: 'THERMOCOUPLE_TEMP_SENSOR',
  voltage: 'VOLTAGE_SENSOR',
  internal_temperature: 'INTERNAL_TEMPERATURE',
  weather_station: 'WEATHER_STATION_SENSOR',
  vibration: 'HIGH_BANDWIDTH_VIBRATION_SENSOR',
  link_quality: 'LINK_QUALITY',
  downlink_ack: 'DOWNLINK',
  gps: 'GPS_SENSOR',
  honeywell_5800: 'HONEYWELL_5800',
  magnetometer: 'MAGNETOMETER_SENSOR',
  glass_break: 'GLASS_BREAK_EVENT',
}

const kinds: Record<string, RegExp> = {
  periodic_report: /^Periodic report$/i,
  above_upper_threshold: / has risen above upper threshold$/,
  below_lower_threshold: / has fallen below lower threshold$/,
  humidity_above_upper: /^Humidity has risen above upper threshold$/,
  change_increase: /report on change increase$/i,
  change_decrease: /report on change decrease$/i,
  to_horizontal: /^Sensor transitioned to horizontal$/,
  change_toward_vertical: /^Report on change toward vertical$/,
  change_toward_horizontal: /^Report on change toward horizontal$/,
  rain: /^Rain$/,
  wind_speed: /^Wind speed$/,
  station_status: /^Station status$/,
  temperature_pressure_humidity: /^Temperature, pressure and humidity$/,
}

/** Keys that are compared separately, or follow from others. */
const notInReading = new Set(['event', 'event_code', 'kind', 'payload_type'])

/** Values that the maker's console prints wrong by a factor of ten; see `conflict` of that frame. */
const corrections: Record<string, [printed: string, right: string]> = {
  'rb-0094': ['0.543 mA', '5.43 mA'],
}

function hexadecimal(bytes: unknown): string {
  assert.ok(Array.isArray(bytes))
  return Uint8Array.from(bytes).toHex().toUpperCase()
}

function decode({ hex }: PublishedFrame): Reading {
  return decodeFrame({ bytes: Uint8Array.fromHex(hex), fPort: 2 })
}

/** Event names by the type of the payload, the high nibble of its first byte. */
const spectrumEvents = [
  'VIBRATION_CONDENSED_FFT_ENERGY',
  'VIBRATION_CONDENSED_FFT_ENERGY_PART',
  'VIBRATION_CONDENSED_FFT',
  'VIBRATION_CONDENSED_FFT_PART',
]

function eventOf({ event, payload_type }: Normalized): string | undefined {
  return event === 'condensed_fft' ? spectrumEvents[Number(payload_type)] : events[String(event)]
}

/** A published frame whose latitude does not exist: it is decoded without a position. */
const notOnEarth: Record<string, readonly string[]> = { 'rb-0037': ['latitude', 'longitude'] }

function compare({ id, normalized }: PublishedFrame, reading: Reading): void {
  assert.equal(reading.event, eventOf(normalized), id)
  if (typeof normalized.kind === 'string') {
    assert.match(reading.description, kinds[normalized.kind] ?? /^$/, id)
  }
  for (const [key, expected] of Object.entries(normalized)) {
    if (notInReading.has(key) || notOnEarth[id]?.includes(key)) continue
    const read = readers[key]
    assert.ok(read, `${id}: nothing reads ${key}`)
    assert.deepEqual(read(reading), expected, `${id}: ${key}`)
  }
}

const frames: readonly PublishedFrame[] = published.frames

// shows 2.14.8
test('reads every published frame as the manuals say', () => {
  for (const frame of frames) compare(frame, decode(frame))
  assert.equal(frames.length, 65)
})

test("prints what the maker's console prints", () => {
  let compared = 0
  for (const frame of frames) {
    if (frame.console_text === undefined) continue
    const [printed, right] = corrections[frame.id] ?? ['', '']
    assert.deepEqual(decode(frame).lines, frame.console_text.replace(printed, right).split('\n'))
    compared += 1
  }
  assert.equal(compared, 8)
})
