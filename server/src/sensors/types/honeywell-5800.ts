import { uint8, uint16 } from '../bytes.ts'
import { type Measurement, measurement } from '../measurement.ts'
import type { Content, PayloadField, Sensor } from '../sensor.ts'

/*
 * Bridge to Honeywell 5800 alarm sensors.
 *
 * | byte | meaning                                                              |
 * |------|----------------------------------------------------------------------|
 * | 0    | 0 status code, 1 error code, 2 payload of a sensor; published: FF    |
 * | 1-3  | sensor id                                                            |
 * | 4-5  | code or payload: one byte or two, decoded as numbers                 |
 *
 * Source: RadioBridge/Packet-Decoder, src/decoders/HoneywellFiveEightZeroZero.ts; byte 0: the
 * Radio Bridge decoder of TheThingsNetwork/lorawan-devices, which reads one byte of payload.
 */
const events = ['Status code', 'Error code', 'Sensor payload']

function decodeHoneywell(payload: Uint8Array): Content {
  const eventByte = uint8(payload, 0)
  const description = events[eventByte] ?? `Event ${eventByte}`
  const sensorId = (uint8(payload, 1) << 16) | uint16(payload, 2)
  const sensorPayload = Array.from(payload.subarray(4, 6))
  return {
    description,
    values: { sensorId, sensorPayload },
    lines: [
      `Honeywell 5800 Event: ${description}`,
      `Sensor id: ${sensorId}`,
      `Payload: ${sensorPayload.join(' ')}`,
    ],
    status: { current_sensor_state: description },
  }
}

const measurements: readonly Measurement[] = [
  measurement('sensorId', 'code'),
  measurement('sensorPayload', 'code'),
]

const fields: readonly PayloadField[] = [
  { label: 'Event', at: 0, keys: ['eventDescription'], texts: events },
  { label: 'Sensor id', at: 1, length: 3, keys: ['sensorId'] },
  { label: 'Code or payload', at: 4, keys: ['sensorPayload'], item: 0 },
  { label: 'Code or payload', at: 5, keys: ['sensorPayload'], item: 1 },
]

export const honeywell5800: Sensor = {
  messages: [
    {
      eventCode: 0x17,
      event: 'HONEYWELL_5800',
      minimumLength: 5,
      decode: decodeHoneywell,
      fields,
      measurements,
    },
  ],
  deviceTypes: [
    {
      typeId: 121,
      typeName: 'Honeywell 5800 Bridge',
      partNumber: '',
      typeCode: 0x17,
    },
  ],
  examples: [
    {
      about: 'a sensor behind the bridge',
      hex: '141702331004b403',
      gives: {
        event: 'HONEYWELL_5800',
        description: 'Sensor payload',
        values: { sensorId: 3346436, sensorPayload: [180, 3] },
        lines: ['Honeywell 5800 Event: Sensor payload', 'Sensor id: 3346436', 'Payload: 180 3'],
        status: { current_sensor_state: 'Sensor payload' },
      },
    },
    {
      about: 'an error code of one byte',
      hex: '15170133100407',
      gives: { description: 'Error code', values: { sensorId: 3346436, sensorPayload: [7] } },
    },
    {
      about: 'an event that has no published name',
      hex: '1417ff331004b4034fea53',
      gives: { description: 'Event 255', values: { sensorId: 3346436, sensorPayload: [180, 3] } },
    },
  ],
}
