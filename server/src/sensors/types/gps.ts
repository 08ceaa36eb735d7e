import { int32, uint8 } from '../bytes.ts'
import { type Measurement, measurement } from '../measurement.ts'
import type { Content, PayloadField, Sensor } from '../sensor.ts'

/*
 * GPS sensor.
 *
 * | byte | meaning                                                                             |
 * |------|-------------------------------------------------------------------------------------|
 * | 0    | bit 0 valid fix, 1 movement started, 2 movement stopped, 3 checksum failure         |
 * | 1-4  | latitude, degrees / 10,000,000, two's complement                                    |
 * | 5-8  | longitude, the same                                                                 |
 *
 * Source: RadioBridge/Packet-Decoder, src/decoders/GpsDevice.ts. The decoder gives a position only
 * with a valid fix, without a checksum failure, and with coordinates that exist: those of a published
 * example do not.
 */
const measurements: readonly Measurement[] = [
  ...['latitude', 'longitude'].map((key) =>
    measurement(key, 'number', {
      ...{ unit: '°', quantity: `position.${key}`, decimals: 5 },
      ...{ isHeadline: true, inState: '' },
    }),
  ),
  ...['validFix', 'checksumFailure'].map((key) => measurement(key, 'state')),
  ...['movementStarted', 'movementStopped'].map((key) => measurement(key, 'event')),
]

function decodeGps(payload: Uint8Array): Content {
  const flags = uint8(payload, 0)
  const validFix = (flags & 0x01) !== 0
  const checksumFailure = (flags & 0x08) !== 0
  const values: Content['values'] = {
    validFix,
    movementStarted: (flags & 0x02) !== 0,
    movementStopped: (flags & 0x04) !== 0,
    checksumFailure,
  }
  const description = describe(flags)
  const latitude = int32(payload, 1) / 10_000_000
  const longitude = int32(payload, 5) / 10_000_000
  const isOnEarth = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  if (!validFix || checksumFailure || !isOnEarth) {
    return { description, values, lines: [description, 'Position: not valid'], status: {} }
  }
  values.latitude = latitude
  values.longitude = longitude
  return {
    description,
    values,
    lines: [description, `Latitude: ${latitude} degrees`, `Longitude: ${longitude} degrees`],
    status: {
      current_sensor_state: `${latitude}, ${longitude}`,
      ...(latitude === 0 && longitude === 0 ? {} : { place: { latitude, longitude } }),
    },
  }
}

function describe(flags: number): string {
  if (flags & 0x08) return 'Checksum failure'
  if (flags & 0x04) return 'Movement stopped'
  if (flags & 0x02) return 'Movement started'
  return flags & 0x01 ? 'Valid GPS fix' : 'No GPS fix'
}

const flagFields = [
  ['validFix', 'Valid fix'],
  ['movementStarted', 'Movement started'],
  ['movementStopped', 'Movement stopped'],
  ['checksumFailure', 'Checksum failure'],
].map(
  ([key = '', label = ''], bit): PayloadField => ({
    label,
    at: 0,
    bits: { lowest: bit, count: 1 },
    keys: [key, 'eventDescription'],
  }),
)

const fields: readonly PayloadField[] = [
  ...flagFields,
  coordinate('Latitude', 1, 'latitude'),
  coordinate('Longitude', 5, 'longitude'),
]

function coordinate(label: string, at: number, key: string): PayloadField {
  return { label, at, length: 4, keys: [key], coding: "two's complement, ° / 10,000,000" }
}

export const gps: Sensor = {
  messages: [
    {
      eventCode: 0x16,
      event: 'GPS_SENSOR',
      minimumLength: 9,
      decode: decodeGps,
      fields,
      measurements,
    },
  ],
  deviceTypes: [{ typeId: 120, typeName: 'GPS', partNumber: '', typeCode: 0x16 }],
  examples: [
    {
      about: 'moving, south of the equator',
      hex: '101603ebcc52205a2dfb02',
      gives: {
        event: 'GPS_SENSOR',
        description: 'Movement started',
        values: {
          validFix: true,
          movementStarted: true,
          movementStopped: false,
          checksumFailure: false,
          latitude: -33.8931168,
          longitude: 151.2962818,
        },
        lines: [
          'Movement started',
          'Latitude: -33.8931168 degrees',
          'Longitude: 151.2962818 degrees',
        ],
        status: {
          current_sensor_state: '-33.8931168, 151.2962818',
          place: { latitude: -33.8931168, longitude: 151.2962818 },
        },
      },
    },
    {
      about: 'a latitude that does not exist',
      hex: '101671653e3d963d1512cc',
      gives: {
        description: 'Valid GPS fix',
        values: {
          validFix: true,
          movementStarted: false,
          movementStopped: false,
          checksumFailure: false,
        },
        lines: ['Valid GPS fix', 'Position: not valid'],
        status: {},
      },
    },
    {
      about: 'no satellites',
      hex: '1016000000000000000000',
      gives: { description: 'No GPS fix', lines: ['No GPS fix', 'Position: not valid'] },
    },
  ],
}
