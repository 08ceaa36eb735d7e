import { int8, uint8 } from '../bytes.ts'
import { measuringMessage } from '../measurement-message.ts'
import type { SensorFile } from '../sensor.ts'
import { highPrecisionTiltSettings } from './high-precision-tilt-settings.ts'

/*
 * High-precision tilt sensor.
 *
 * | byte | meaning                                                                            |
 * |------|------------------------------------------------------------------------------------|
 * | 0    | 0 periodic, 1 toward vertical, 2 away from it, 3 change toward, 4 change away      |
 * | 1    | angle from the vertical axis, whole degrees                                        |
 * | 2    | tenths of a degree, the whole byte (48.7 = 0x30 0x07)                              |
 * | 3    | °C, two's complement                                                               |
 *
 * Source: RBS306-TILT-HP manual (manualshive 777780) p. 8-10. The decoder in
 * TheThingsNetwork/lorawan-devices takes the tenths from the high nibble, against the manual's
 * example, and the temperature as sign and magnitude, which differs below 0 °C only.
 */
const events = [
  'Periodic report',
  'Sensor transitioned toward the vertical orientation',
  'Sensor transitioned away from the vertical orientation',
  'Report on change toward the vertical orientation',
  'Report on change away from the vertical orientation',
]

const highPrecisionTiltMessage = measuringMessage({
  eventCode: 0x0f,
  event: 'HIGH_PRECISION_TILT_SENSOR',
  events,
  minimumLength: 4,
  fields: [
    {
      key: 'angle',
      label: 'Tilt angle from vertical axis',
      read: (payload, at) => (uint8(payload, at) * 10 + uint8(payload, at + 1)) / 10,
      at: 1,
      suffix: ' degrees',
      state: ' degrees',
    },
    {
      key: 'temperature',
      label: 'Temperature in degrees Celsius',
      read: int8,
      at: 3,
      suffix: ' C',
    },
  ],
})

export const highPrecisionTilt: SensorFile = {
  messages: [highPrecisionTiltMessage],
  deviceTypes: [
    {
      typeId: 114,
      typeName: 'High-Precision Tilt',
      partNumber: 'RBS306-TILT-HP',
      otherPartNumbers: ['RBS301-TILT-HP'],
      typeCode: 0x0f,
      eventCodes: [0x0f],
      settings: highPrecisionTiltSettings,
    },
  ],
  examples: [
    {
      about: 'periodic report',
      hex: '100f00300719',
      gives: {
        event: 'HIGH_PRECISION_TILT_SENSOR',
        description: 'Periodic report',
        values: { angle: 48.7, temperature: 25 },
        lines: [
          'Periodic report',
          'Tilt angle from vertical axis: 48.7 degrees',
          'Temperature in degrees Celsius: 25 C',
        ],
        status: { current_sensor_state: '48.7 degrees' },
      },
    },
    {
      about: 'a change in the cold',
      hex: '110f045901f6',
      gives: { values: { angle: 89.1, temperature: -10 } },
    },
  ],
}
