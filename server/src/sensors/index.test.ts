import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeFrame } from './decode.ts'
import { deviceTypes, findDeviceType, fullName, layouts, sensors } from './index.ts'
import type { FrameExample } from './sensor.ts'

/** Ids in use. They are in customers' databases: add to the end, never change or reuse one. */
const typeNames: Record<number, string> = {
  16: 'LoRa Door/Window',
  18: 'LoRa Contact Sensor',
  19: 'LoRa Water Sensor',
  40: 'LoRa Tilt Sensor',
  60: 'WXT530 Weather Station',
  101: 'Door/Window High Security',
  102: 'No-Probe Temperature',
  103: 'External Probe Temperature',
  104: 'Probeless / Internal Temperature',
  105: 'Single Push Button',
  106: 'Dual Push Button',
  107: 'Acceleration-Based Movement',
  108: 'Water Rope',
  109: 'Tank Level Float',
  110: 'Glass Break (low power)',
  111: 'Ambient Light',
  112: 'Air Temperature & Humidity',
  113: 'Ext-probe Air Temperature & Humidity (armored)',
  114: 'High-Precision Tilt',
  115: 'Ultrasonic Level',
  116: 'Maxbotix HR Ultrasonic',
  117: '4-20 mA Current Loop',
  118: 'Thermocouple',
  119: 'Voltage 0-30 V',
  120: 'GPS',
  121: 'Honeywell 5800 Bridge',
  122: 'Magnetometer',
  123: 'Compass',
  124: 'High-Bandwidth Vibration',
  125: 'Water + Temperature + Humidity',
}

/** The kinds of the maker's npm package @radiobridge/packet-decoder 1.0.3, by event code. */
const eventNames: Record<number, string> = {
  0: 'RESET',
  1: 'SUPERVISOR',
  2: 'TAMPER',
  3: 'DOOR_SENSOR',
  5: 'GLASS_BREAK_EVENT',
  6: 'PUSH_BUTTON',
  7: 'CONTACT_SENSOR',
  8: 'WATER_SENSOR',
  9: 'TEMPERATURE_EVENT',
  10: 'TILT_EVENT',
  11: 'AMBIENT_LIGHT_SENSOR',
  12: 'TANK_LEVEL_SENSOR',
  13: 'AIR_TEMP_HUMIDITY_SENSOR',
  14: 'ACCELERATION_MOVEMENT_SENSOR',
  15: 'HIGH_PRECISION_TILT_SENSOR',
  16: 'WIRELESS_ULTRASONIC_LEVEL_SENSOR',
  17: 'WIRELESS_420MA_CURRENT_LOOP_SENSOR',
  19: 'THERMOCOUPLE_TEMP_SENSOR',
  20: 'VOLTAGE_SENSOR',
  22: 'GPS_SENSOR',
  23: 'HONEYWELL_5800',
  24: 'MAGNETOMETER_SENSOR',
  25: 'INTERNAL_TEMPERATURE',
  26: 'COMPASS_SENSOR',
  27: 'WEATHER_STATION_SENSOR',
  28: 'HIGH_BANDWIDTH_VIBRATION_SENSOR',
  29: 'HIGH_BANDWIDTH_VIBRATION_SENSOR',
  30: 'HIGH_BANDWIDTH_VIBRATION_SENSOR',
  31: 'HIGH_BANDWIDTH_VIBRATION_SENSOR',
  32: 'VIBRATION_CONDENSED_FFT',
  250: 'DEVICE_INFO',
  251: 'LINK_QUALITY',
  252: 'RATE_LIMIT_EXCEEDED',
  253: 'CURRENT_SENSOR_STATE',
  254: 'TEST_MODE_EXIT',
  255: 'DOWNLINK',
}

const messages = layouts.flatMap((layout) => layout.messages)

test('keeps the id of every device type', () => {
  const found = deviceTypes.map(({ typeId, typeName }) => [String(typeId), typeName])
  assert.deepEqual(found, Object.entries(typeNames))
})

test('names every device type', () => {
  for (const deviceType of deviceTypes) {
    assert.equal(findDeviceType(deviceType.typeId), deviceType)
    assert.notEqual(deviceType.typeName, '')
  }
  assert.equal(findDeviceType(9999), undefined)
})

test('makes the full name of part number and type name', () => {
  const names = [16, 101]
    .map((typeId) => findDeviceType(typeId))
    .map((deviceType) => deviceType && fullName(deviceType))
  assert.deepEqual(names, ['RBS301-DWS - LoRa Door/Window', 'Door/Window High Security'])
})

test('lists each part number under one device type', () => {
  const all = deviceTypes.flatMap(({ partNumber, otherPartNumbers = [] }) => [
    partNumber,
    ...otherPartNumbers,
  ])
  const named = all.filter((partNumber) => partNumber !== '')
  assert.ok(named.length > 0)
  assert.equal(new Set(named).size, named.length)
})

test('decodes each event code in one place', () => {
  const codes = messages.map((message) => message.eventCode)
  assert.ok(codes.length > 0)
  assert.equal(new Set(codes).size, codes.length)
})

// shows 10.7.1
test('names the kinds of events as the decoder of the maker does', () => {
  for (const { eventCode, event } of messages) assert.equal(event, eventNames[eventCode])
})

// shows 10.7.6
test('names values in camelCase, and gives numbers, words and truths', () => {
  let checked = 0
  for (const { hex } of layouts.flatMap(({ examples }) => examples)) {
    const { values } = decodeFrame({ bytes: Uint8Array.fromHex(hex), fPort: 2 })
    for (const [key, value] of Object.entries(values)) {
      assert.match(key, /^[a-z][A-Za-z0-9]*$/)
      const types = ['number', 'string', 'boolean']
      for (const one of [value].flat()) assert.ok(types.includes(typeof one), key)
      checked += 1
    }
  }
  assert.ok(checked > 0)
})

test('decodes what the device types send', () => {
  const decoded = new Set(messages.map((message) => message.eventCode))
  for (const { messages: own, deviceTypes } of sensors) {
    assert.ok(own.length > 0 && deviceTypes.length > 0)
    for (const { typeName, alsoSends = [] } of deviceTypes) {
      for (const code of alsoSends) assert.ok(decoded.has(code), typeName)
    }
  }
})

function checkExample({ about, hex, gives }: FrameExample): void {
  const reading = decodeFrame({ bytes: Uint8Array.fromHex(hex), fPort: 2 })
  const keys = Object.keys(gives)
  assert.ok(keys.length > 0, about)
  const read = Object.fromEntries(Object.entries(reading).filter(([key]) => keys.includes(key)))
  assert.deepEqual(read, gives, about)
}

for (const { messages: ofLayout, examples } of layouts) {
  const [first] = ofLayout
  test(`reads the examples of ${first?.event} as they say`, () => {
    assert.ok(examples.length > 0)
    for (const example of examples) checkExample(example)
    const shown = new Set(examples.map(({ hex }) => Uint8Array.fromHex(hex)[1]))
    assert.deepEqual(
      ofLayout.map((message) => message.eventCode).filter((code) => !shown.has(code)),
      [],
      'each message has an example',
    )
  })
}
