/*
 * What newer rows of `uplinks` leave out or have as a number (docs/decisions/0047-short-rows.md). Both
 * forms are read by these.
 */

/**
 * The event types of built-in sensors. `uplinks.event_number` is the place here, from 1, so names are
 * only ever added, at the end. Any other type stands in `event_type`.
 */
export const eventTypes: readonly string[] = [
  'UNKNOWN',
  'DECODED',
  'RESET',
  'SUPERVISOR',
  'TAMPER',
  'DEVICE_INFO',
  'LINK_QUALITY',
  'RATE_LIMIT_EXCEEDED',
  'CURRENT_SENSOR_STATE',
  'TEST_MODE_EXIT',
  'DOWNLINK',
  'DOOR_SENSOR',
  'GLASS_BREAK_EVENT',
  'PUSH_BUTTON',
  'CONTACT_SENSOR',
  'WATER_SENSOR',
  'TEMPERATURE_EVENT',
  'TILT_EVENT',
  'AMBIENT_LIGHT_SENSOR',
  'TANK_LEVEL_SENSOR',
  'AIR_TEMP_HUMIDITY_SENSOR',
  'ACCELERATION_MOVEMENT_SENSOR',
  'HIGH_PRECISION_TILT_SENSOR',
  'WIRELESS_ULTRASONIC_LEVEL_SENSOR',
  'WIRELESS_420MA_CURRENT_LOOP_SENSOR',
  'THERMOCOUPLE_TEMP_SENSOR',
  'VOLTAGE_SENSOR',
  'GPS_SENSOR',
  'HONEYWELL_5800',
  'MAGNETOMETER_SENSOR',
  'INTERNAL_TEMPERATURE',
  'COMPASS_SENSOR',
  'WEATHER_STATION_SENSOR',
  'HIGH_BANDWIDTH_VIBRATION_SENSOR',
  'VIBRATION_CONDENSED_FFT',
  'VIBRATION_CONDENSED_FFT_PART',
  'VIBRATION_CONDENSED_FFT_ENERGY',
  'VIBRATION_CONDENSED_FFT_ENERGY_PART',
]

const numbers = new Map(eventTypes.map((event, place) => [event, place + 1]))

/** The number of an event type; undefined where it has none. */
export function eventNumber(event: string): number | undefined {
  return numbers.get(event)
}

const list = eventTypes.map((event) => `'${event}'`).join()

/** SQL: the event type of an uplink. */
export const eventTypeOf = (row: string) =>
  `coalesce(${row}.event_type, (array[${list}])[${row}.event_number])`

/** SQL: its deduplication key. A UUID is stored as such. */
export const keyOf = (row: string) =>
  `coalesce(${row}.deduplication_key, ${row}.deduplication_id::text)`

/** SQL: the packet counters of its frames. A frame begins with its own (sensors/decode.ts). */
export const sequenceOf = (row: string) =>
  `coalesce(${row}.sensor_sequence, array[get_byte(${row}.payload, 0) & 15])`
