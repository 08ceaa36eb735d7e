import { int8, uint8 } from '../bytes.ts'
import { innerTemperature, type Measurement, measurement } from '../measurement.ts'
import {
  fieldsOf,
  type MeasuredField,
  measurementsOf,
  readMeasurements,
  temperatureMarks,
  unknownReason,
} from '../measurement-message.ts'
import type { Content, Message, PayloadField, Sensor } from '../sensor.ts'
import { reportGroup, spectrum } from './vibration-spectrum.ts'

/*
 * High-bandwidth vibration, one event code per channel: 1C is channel 1, 1F is channel 4.
 *
 * | byte | meaning                                                                           |
 * |------|-----------------------------------------------------------------------------------|
 * | 0    | low nibble: see `events`; with 5, bits 6:4 are the factor of the g range          |
 * | 1    | low-frequency peak velocity (10 Hz to 1 kHz), in/s / 100                          |
 * | 2    | high-frequency peak acceleration (1.5 to 10 kHz), g / 4                           |
 * | 3    | accelerometer temperature, °C, two's complement; 0x7F above range, 0x80 below it  |
 * | 4    | bias voltage, V / 100; half the supply when healthy                               |
 *
 * Source: Reveal vibration manual (manualslib 2623818) p. 11-22 and RadioBridge/Packet-Decoder.
 * The last report of each channel is stored: the condensed spectrum (event 20, see
 * `vibration-spectrum.ts`) is shown relative to its velocity.
 */
const events = [
  'Periodic Report',
  'High frequency vibration has risen above upper threshold',
  'High frequency vibration has fallen below lower threshold',
  'Low frequency velocity has risen above upper threshold',
  'Low frequency velocity has fallen below lower threshold',
  'Accelerometer range exceeded',
]
const rangeExceeded = 5

/** The factor of the g range, by bits 6:4 of the first byte. */
const rangeFactors = [1, 2, 4, 5, 8, 10, 16, 32]

const fields: readonly MeasuredField[] = [
  {
    key: 'velocity',
    unit: 'in/s',
    min: 0,
    label: 'Low frequency peak velocity',
    read: uint8,
    at: 1,
    per: 100,
    suffix: ' inches/sec',
    state: ' in/s',
  },
  {
    key: 'acceleration',
    unit: 'g',
    decimals: 1,
    min: 0,
    label: 'High frequency peak acceleration',
    read: uint8,
    at: 2,
    per: 4,
    suffix: ' g',
    state: ' g',
  },
  {
    ...innerTemperature,
    label: 'Accelerometer temperature in degrees Celsius',
    read: int8,
    at: 3,
    suffix: ' C',
    marks: temperatureMarks,
  },
  {
    key: 'biasVoltage',
    unit: 'V',
    label: 'Bias voltage',
    read: uint8,
    at: 4,
    per: 100,
    suffix: ' V',
  },
]

const payloadFields: readonly PayloadField[] = [
  {
    label: 'Factor of the g range',
    at: 0,
    bits: { lowest: 4, count: 3 },
    keys: ['rangeFactor'],
    texts: rangeFactors.map((factor) => `x${factor}`),
    only: {
      when: 'the range was exceeded',
      holds: (payload) => (uint8(payload, 0) & 0x0f) === rangeExceeded,
    },
  },
  {
    label: 'Reason',
    at: 0,
    bits: { lowest: 0, count: 4 },
    keys: ['eventDescription'],
    texts: events,
  },
  ...fieldsOf(fields),
]

const measurements: readonly Measurement[] = [
  ...measurementsOf(fields),
  measurement('channel', 'code'),
  measurement('rangeFactor', 'code'),
]

function decodeVibration(payload: Uint8Array, channel: number): Content {
  const first = uint8(payload, 0)
  const description = events[first & 0x0f] ?? unknownReason(first & 0x0f)
  const title = `Vibration Event: ${description}`
  const content = readMeasurements(fields, payload, { title, description })
  content.values.channel = channel
  content.lines.splice(1, 0, `Channel: ${channel}`)
  const rangeFactor = rangeFactors[(first >> 4) & 0x07]
  if ((first & 0x0f) === rangeExceeded && rangeFactor !== undefined) {
    content.values.rangeFactor = rangeFactor
    content.lines.push(`Range factor: x${rangeFactor}`)
  }
  return content
}

function messageOfChannel(channel: number): Message {
  return {
    eventCode: 0x1b + channel,
    event: 'HIGH_BANDWIDTH_VIBRATION_SENSOR',
    minimumLength: 5,
    decode: (payload) => decodeVibration(payload, channel),
    fields: payloadFields,
    measurements,
    codeKeys: ['channel'],
    reassembly: { placeOf: () => ({ group: reportGroup(channel), number: 0 }) },
  }
}

export const vibration: Sensor = {
  messages: [...[1, 2, 3, 4].map(messageOfChannel), ...spectrum.messages],
  deviceTypes: [
    {
      typeId: 124,
      typeName: 'High-Bandwidth Vibration',
      partNumber: 'RBS306-VSHB',
      otherPartNumbers: ['RBS301-VS', 'RBS306-VS'],
      typeCode: 0x1a,
    },
  ],
  examples: [
    {
      about: 'periodic report of channel 1',
      hex: '1f1c001c2c1ba8',
      gives: {
        event: 'HIGH_BANDWIDTH_VIBRATION_SENSOR',
        description: 'Periodic Report',
        values: {
          channel: 1,
          velocity: 0.28,
          acceleration: 11,
          temperature: 27,
          biasVoltage: 1.68,
        },
        lines: [
          'Vibration Event: Periodic Report',
          'Channel: 1',
          'Low frequency peak velocity: 0.28 inches/sec',
          'High frequency peak acceleration: 11 g',
          'Accelerometer temperature in degrees Celsius: 27 C',
          'Bias voltage: 1.68 V',
        ],
        status: { current_sensor_state: '0.28 in/s, 11 g' },
      },
    },
    {
      about: 'channel 2 too fast',
      hex: '101d036e0a19a5',
      gives: {
        description: 'Low frequency velocity has risen above upper threshold',
        values: {
          channel: 2,
          velocity: 1.1,
          acceleration: 2.5,
          temperature: 25,
          biasVoltage: 1.65,
        },
      },
    },
    {
      about: 'channel 3, in the frost',
      hex: '101e000000fba5',
      gives: {
        values: { channel: 3, velocity: 0, acceleration: 0, temperature: -5, biasVoltage: 1.65 },
      },
    },
    {
      about: 'channel 4 beyond its range, now wider by 16',
      hex: '101f65ffff19a5',
      gives: {
        description: 'Accelerometer range exceeded',
        values: {
          channel: 4,
          velocity: 2.55,
          acceleration: 63.75,
          temperature: 25,
          biasVoltage: 1.65,
          rangeFactor: 16,
        },
      },
    },
    ...spectrum.examples,
  ],
}
