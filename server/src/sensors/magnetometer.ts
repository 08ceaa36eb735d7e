import { int8, int16 } from './bytes.ts'
import type { Content, SensorFile } from './sensor.ts'

/*
 * Magnetometer.
 *
 * | byte | meaning                                             |
 * |------|-----------------------------------------------------|
 * | 0    | 0 periodic; no other value is published             |
 * | 1-2  | X axis, milligauss, two's complement                |
 * | 3-4  | Y axis                                              |
 * | 5-6  | Z axis                                              |
 * | 7    | °C, two's complement                                |
 *
 * Source: RadioBridge/Packet-Decoder, src/decoders/MagnetometerSensor.ts.
 */
function decodeMagnetometer(payload: Uint8Array): Content | undefined {
  if (payload[0] !== 0) return undefined
  const fieldX = int16(payload, 1)
  const fieldY = int16(payload, 3)
  const fieldZ = int16(payload, 5)
  const temperature = int8(payload, 7)
  return {
    description: 'Periodic Report',
    values: { fieldX, fieldY, fieldZ, temperature },
    lines: [
      'Magnetometer Event: Periodic Report',
      `X axis: ${fieldX} mG`,
      `Y axis: ${fieldY} mG`,
      `Z axis: ${fieldZ} mG`,
      `Temperature in degrees Celsius: ${temperature} C`,
    ],
    status: { current_sensor_state: `${fieldX}, ${fieldY}, ${fieldZ} mG` },
  }
}

export const magnetometer: SensorFile = {
  messages: [
    { eventCode: 0x18, event: 'MAGNETOMETER_SENSOR', minimumLength: 8, decode: decodeMagnetometer },
  ],
  deviceTypes: [
    { typeId: 122, typeName: 'Magnetometer', partNumber: '', typeCode: 0x18, eventCodes: [0x18] },
  ],
  examples: [
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
