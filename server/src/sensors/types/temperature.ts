import { int8, uint8 } from '../bytes.ts'
import {
  type Measurement,
  measurement,
  probeTemperature,
  rangeMeasurement,
} from '../measurement.ts'
import { ranges, reasonField, reportEvents, unknownReason } from '../measurement-message.ts'
import type { Content, PayloadField, Sensor } from '../sensor.ts'
import {
  measurementSettings,
  type Quantity,
  restoralMargin,
} from '../settings/measurement-fields.ts'

/*
 * Temperature with an external thermistor probe, and the old sensor without a probe.
 *
 * | byte | meaning                                                                          |
 * |------|----------------------------------------------------------------------------------|
 * | 0    | 0 periodic, 1 above threshold, 2 below threshold, 3 and 4 change up, down        |
 * | 1    | °C, two's complement; 0x7F above the probe's range, 0x80 below it                |
 * | 2    | relative measurement: the raw value of the converter, 0 to 255                   |
 *
 * Source: support.radiobridge.com, decoding of a no-probe and of an external probe temperature
 * event. The text leaves out the relative measurement, as in the maker's console.
 */
const events = reportEvents('Temperature')

const fields: readonly PayloadField[] = [
  reasonField(events),
  {
    label: 'Temperature',
    at: 1,
    keys: ['temperature', 'temperatureRange'],
    coding: "two's complement, °C; 127 above range, -128 below",
  },
  { label: 'Relative measurement', at: 2, keys: ['relativeMeasurement'], coding: 'unsigned' },
]

const measurements: readonly Measurement[] = [
  probeTemperature(0),
  rangeMeasurement({ key: 'temperature', isHeadline: true }, ranges, capitalize),
  measurement('relativeMeasurement', 'number', { decimals: 0, min: 0, max: 255 }),
]

function capitalize(range: string): string {
  return range.charAt(0).toUpperCase() + range.slice(1)
}

function decodeTemperature(payload: Uint8Array): Content {
  const description = events[uint8(payload, 0)] ?? unknownReason(uint8(payload, 0))
  const temperature = int8(payload, 1)
  const relativeMeasurement = uint8(payload, 2)
  const first = `Temperature Event: ${description}`
  if (temperature === 0x7f || temperature === -0x80) {
    const range = ranges[temperature > 0 ? 0 : 1]
    return {
      description,
      values: { temperatureRange: range, relativeMeasurement },
      lines: [first, `Temperature in degrees Celsius: ${range}`],
      status: { current_sensor_state: capitalize(range) },
    }
  }
  return {
    description,
    values: { temperature, relativeMeasurement },
    lines: [first, `Temperature in degrees Celsius: ${temperature} C`],
    status: { current_sensor_state: `${temperature} C` },
  }
}

/*
 * | byte | thresholds                               | report on change                         |
 * |------|------------------------------------------|------------------------------------------|
 * | 0    | 0                                        | 1                                        |
 * | 1    | period                                   | period                                   |
 * | 2    | restoral margin in bits 3:0, °C          | not used                                 |
 * | 3    | lower threshold, °C, two's complement    | increase, °C; 0 off                      |
 * | 4    | upper threshold, °C, two's complement    | decrease, °C; 0 off                      |
 *
 * Source: support.radiobridge.com, configuration downlinks of a no-probe (which gives the range)
 * and of an external probe temperature sensor.
 */
const degrees: Quantity = {
  name: 'temperature',
  unit: '°C',
  isSigned: true,
  lowest: -40,
  highest: 100,
  largestChange: 255,
}

const settings = measurementSettings(degrees, {
  command: 0x09,
  firstId: 901,
  damping: restoralMargin(degrees, { id: 903, byte: 2, bits: { lowest: 0, count: 4 }, default: 5 }),
  lower: { default: 10 },
  upper: { default: 90 },
})

export const temperature: Sensor = {
  messages: [
    {
      eventCode: 0x09,
      event: 'TEMPERATURE_EVENT',
      minimumLength: 3,
      decode: decodeTemperature,
      measurements,
      fields,
    },
  ],
  deviceTypes: [
    {
      typeId: 102,
      typeName: 'No-Probe Temperature',
      partNumber: 'RBS301-TEMP-NOP',
      typeCode: 0x04,
      settings,
    },
    {
      typeId: 103,
      typeName: 'External Probe Temperature',
      partNumber: 'RBS301-TEMP-EXT',
      otherPartNumbers: ['RBS306-TEMP-EXT', 'RBS3010xx05BN00'],
      typeCode: 0x05,
      settings,
    },
  ],
  examples: [
    {
      about: 'above the upper threshold',
      hex: '1009011321',
      gives: {
        event: 'TEMPERATURE_EVENT',
        description: 'Temperature has risen above upper threshold',
        values: { temperature: 19, relativeMeasurement: 33 },
        lines: [
          'Temperature Event: Temperature has risen above upper threshold',
          'Temperature in degrees Celsius: 19 C',
        ],
        status: { current_sensor_state: '19 C' },
      },
    },
    {
      about: 'below zero',
      hex: '100902f380',
      gives: { values: { temperature: -13, relativeMeasurement: 128 } },
    },
    {
      about: 'warmer than the probe can measure',
      hex: '1009007fff',
      gives: {
        values: { temperatureRange: 'above range', relativeMeasurement: 255 },
        lines: [
          'Temperature Event: Periodic Report',
          'Temperature in degrees Celsius: above range',
        ],
        status: { current_sensor_state: 'Above range' },
      },
    },
    {
      about: 'colder than the probe can measure',
      hex: '1009008000',
      gives: { values: { temperatureRange: 'below range', relativeMeasurement: 0 } },
    },
  ],
}
