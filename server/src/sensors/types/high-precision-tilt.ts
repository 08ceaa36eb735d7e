import { int8, tenthsOfByte } from '../bytes.ts'
import { angle, innerTemperature } from '../measurement.ts'
import { measurementMessage, temperatureMarks } from '../measurement-message.ts'
import type { Sensor } from '../sensor.ts'
import {
  inChangeMode,
  inThresholdMode,
  modeField,
  periodicReportField,
} from '../settings/measurement-fields.ts'
import { holdTime, number, sensorSection } from '../settings/section.ts'

/*
 * High-precision tilt sensor.
 *
 * | byte | meaning                                                                            |
 * |------|------------------------------------------------------------------------------------|
 * | 0    | 0 periodic, 1 toward vertical, 2 away from it, 3 change toward, 4 change away      |
 * | 1    | angle from the vertical axis, whole degrees                                        |
 * | 2    | tenths of a degree, the whole byte (48.7 = 0x30 0x07)                              |
 * | 3    | °C, two's complement; 0x7F above range, 0x80 below it                              |
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

const highPrecisionTiltMessage = measurementMessage({
  eventCode: 0x0f,
  event: 'HIGH_PRECISION_TILT_SENSOR',
  events,
  minimumLength: 4,
  fields: [
    {
      ...angle,
      max: 180,
      label: 'Tilt angle from vertical axis',
      read: tenthsOfByte,
      at: 1,
      suffix: ' degrees',
      state: ' degrees',
    },
    {
      ...innerTemperature,
      label: 'Temperature in degrees Celsius',
      read: int8,
      at: 3,
      suffix: ' C',
      marks: temperatureMarks,
    },
  ],
})

/*
 * | byte | thresholds                                    | report on change                      |
 * |------|-----------------------------------------------|---------------------------------------|
 * | 0    | 0                                             | 1                                     |
 * | 1    | period                                        | period                                |
 * | 2    | hold time in 250 ms                           | hold time in 250 ms                   |
 * | 3-4  | angle toward vertical, whole and tenths       | change toward vertical; 0 off         |
 * | 5-6  | angle away from vertical, whole and tenths    | change away from vertical; 0 off      |
 *
 * Source: RBS306-TILT-HP manual (manualshive 777780 p. 10, 3287106 p. 11). The coding of bytes 3 to
 * 6 is inferred from the angle of the uplink. The default angles are the manual's example. Their
 * range is that of the uplink's angle (support.radiobridge.com has 96.1 degrees).
 */
const widest = 180

const settings = sensorSection({
  command: 0x0f,
  fields: [
    modeField(1501),
    periodicReportField(1502),
    holdTime({
      id: 1503,
      key: 'hold_time',
      label: 'Hold time',
      condition: 'the angle must stay past a limit',
      place: { byte: 2 },
    }),
    number({
      id: 1504,
      key: 'toward_threshold',
      label: 'Threshold toward vertical',
      description: 'An event when the angle falls below it. Left empty, 35 degrees.',
      place: { byte: 3, length: 2, coding: 'tenths' },
      default: 35,
      onlyWhen: inThresholdMode,
      min: 0,
      max: widest,
      unit: 'degrees',
      scale: 10,
      isInferred: true,
    }),
    number({
      id: 1505,
      key: 'away_threshold',
      label: 'Threshold away from vertical',
      description: 'An event when the angle rises above it. Left empty, 55 degrees.',
      place: { byte: 5, length: 2, coding: 'tenths' },
      default: 55,
      onlyWhen: inThresholdMode,
      min: 0,
      max: widest,
      unit: 'degrees',
      scale: 10,
      isInferred: true,
    }),
    number({
      id: 1506,
      key: 'toward_change',
      label: 'Change toward vertical',
      description: 'An event when the angle has fallen by this. Left empty or 0, off.',
      place: { byte: 3, length: 2, coding: 'tenths' },
      default: 0,
      onlyWhen: inChangeMode,
      min: 0,
      max: widest,
      unit: 'degrees',
      scale: 10,
      isInferred: true,
    }),
    number({
      id: 1507,
      key: 'away_change',
      label: 'Change away from vertical',
      description: 'An event when the angle has risen by this. Left empty or 0, off.',
      place: { byte: 5, length: 2, coding: 'tenths' },
      default: 0,
      onlyWhen: inChangeMode,
      min: 0,
      max: widest,
      unit: 'degrees',
      scale: 10,
      isInferred: true,
    }),
  ],
  ordered: [['toward_threshold', 'away_threshold']],
})

export const highPrecisionTilt: Sensor = {
  messages: [highPrecisionTiltMessage],
  deviceTypes: [
    {
      typeId: 114,
      typeName: 'High-Precision Tilt',
      partNumber: 'RBS306-TILT-HP',
      otherPartNumbers: ['RBS301-TILT-HP'],
      typeCode: 0x0f,
      settings,
    },
  ],
  examples: [
    {
      about: 'too hot to be measured',
      hex: '100f0030077f',
      gives: { values: { angle: 48.7, temperatureRange: 'above range' } },
    },
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
