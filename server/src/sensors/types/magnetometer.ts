import { int8, int16, uint8 } from '../bytes.ts'
import { innerTemperature } from '../measurement.ts'
import {
  fieldsOf,
  type MeasuredField,
  measurementsOf,
  readMeasurements,
  reasonField,
  temperatureMarks,
} from '../measurement-message.ts'
import type { Content, Sensor } from '../sensor.ts'

/*
 * Magnetometer.
 *
 * | byte | meaning                                                                      |
 * |------|------------------------------------------------------------------------------|
 * | 0    | 0 periodic; no other value is named, but a published frame has one           |
 * | 1-2  | X axis, milligauss, two's complement                                         |
 * | 3-4  | Y axis                                                                       |
 * | 5-6  | Z axis                                                                       |
 * | 7    | °C, two's complement; 0x7F above range, 0x80 below it                        |
 *
 * Source: RadioBridge/Packet-Decoder, src/decoders/MagnetometerSensor.ts.
 */
const fields: readonly MeasuredField[] = [
  {
    key: 'fieldX',
    unit: 'mG',
    prefix: 'X ',
    label: 'X axis',
    read: int16,
    at: 1,
    suffix: ' mG',
    state: '',
  },
  {
    key: 'fieldY',
    unit: 'mG',
    prefix: 'Y ',
    label: 'Y axis',
    read: int16,
    at: 3,
    suffix: ' mG',
    state: '',
  },
  {
    key: 'fieldZ',
    unit: 'mG',
    prefix: 'Z ',
    label: 'Z axis',
    read: int16,
    at: 5,
    suffix: ' mG',
    state: ' mG',
  },
  {
    ...innerTemperature,
    label: 'Temperature in degrees Celsius',
    read: int8,
    at: 7,
    suffix: ' C',
    marks: temperatureMarks,
  },
]

function decodeMagnetometer(payload: Uint8Array): Content {
  const eventByte = uint8(payload, 0)
  const description = eventByte === 0 ? 'Periodic Report' : `Event ${eventByte}`
  return readMeasurements(fields, payload, {
    title: `Magnetometer Event: ${description}`,
    description,
  })
}

export const magnetometer: Sensor = {
  messages: [
    {
      eventCode: 0x18,
      event: 'MAGNETOMETER_SENSOR',
      minimumLength: 8,
      decode: decodeMagnetometer,
      fields: [reasonField(['Periodic Report']), ...fieldsOf(fields)],
      measurements: measurementsOf(fields),
    },
  ],
  deviceTypes: [{ typeId: 122, typeName: 'Magnetometer', partNumber: '', typeCode: 0x18 }],
  examples: [
    {
      about: 'another event, which the maker has not named',
      hex: '1418feae100000022536',
      gives: {
        description: 'Event 254',
        values: { fieldX: -20976, fieldY: 0, fieldZ: 549, temperature: 54 },
      },
    },
    {
      about: 'periodic report',
      hex: '141800ae100000022536',
      gives: {
        event: 'MAGNETOMETER_SENSOR',
        description: 'Periodic Report',
        values: { fieldX: -20976, fieldY: 0, fieldZ: 549, temperature: 54 },
        lines: [
          'Magnetometer Event: Periodic Report',
          'X axis: -20976 mG',
          'Y axis: 0 mG',
          'Z axis: 549 mG',
          'Temperature in degrees Celsius: 54 C',
        ],
        status: { current_sensor_state: '-20976, 0, 549 mG' },
      },
    },
  ],
}
