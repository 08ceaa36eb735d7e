import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeFrame } from './decode.ts'
import { deviceTypes, findDeviceType, fullName, sensorFiles } from './index.ts'
import type { Example } from './sensor.ts'

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

const messages = sensorFiles.flatMap((file) => file.messages)

test('keeps the id of every device type', () => {
  const found = deviceTypes.map(({ typeId, typeName }) => [String(typeId), typeName])
  assert.deepEqual(found, Object.entries(typeNames))
})

test('names every device type', () => {
  for (const sensor of deviceTypes) {
    assert.equal(findDeviceType(sensor.typeId), sensor)
    assert.notEqual(sensor.typeName, '')
  }
  assert.equal(findDeviceType(9999), undefined)
})

test('makes the full name of part number and type name', () => {
  const names = [16, 101]
    .map((typeId) => findDeviceType(typeId))
    .map((sensor) => sensor && fullName(sensor))
  assert.deepEqual(names, ['RBS301-DWS - LoRa Door/Window', 'Door/Window High Security'])
})

test('lists each part number under one device type', () => {
  const all = deviceTypes.flatMap((sensor) => [
    sensor.partNumber,
    ...(sensor.otherPartNumbers ?? []),
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

test('decodes what the device types send', () => {
  const decoded = new Set(messages.map((message) => message.eventCode))
  for (const { typeName, eventCodes } of deviceTypes) {
    assert.ok(eventCodes.length > 0, typeName)
    for (const code of eventCodes) assert.ok(decoded.has(code), typeName)
  }
})

function checkExample({ about, hex, gives }: Example): void {
  const reading = decodeFrame({ bytes: Uint8Array.fromHex(hex), fPort: 2 })
  const keys = Object.keys(gives)
  assert.ok(keys.length > 0, about)
  const read = Object.fromEntries(Object.entries(reading).filter(([key]) => keys.includes(key)))
  assert.deepEqual(read, gives, about)
}

for (const { messages: ofFile, examples } of sensorFiles) {
  const [first] = ofFile
  test(`reads the examples of ${first?.event} as they say`, () => {
    assert.ok(examples.length > 0)
    for (const example of examples) checkExample(example)
    const shown = new Set(examples.map(({ hex }) => Uint8Array.fromHex(hex)[1]))
    assert.deepEqual(
      ofFile.map((message) => message.eventCode).filter((code) => !shown.has(code)),
      [],
      'each message has an example',
    )
  })
}
