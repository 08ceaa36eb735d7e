import { uint16 } from '../bytes.ts'
import { measurementMessage, reportEvents } from '../measurement-message.ts'
import type { Sensor } from '../sensor.ts'
import { measurementSettings, type Quantity } from '../settings/measurement-fields.ts'
import { otherPeriods, shortPeriods } from '../settings/periods.ts'
import { select } from '../settings/section.ts'

/*
 * Ultrasonic level sensor, also with the Maxbotix transducer.
 *
 * | byte | meaning                                                                      |
 * |------|------------------------------------------------------------------------------|
 * | 0    | 0 periodic, 1 above threshold, 2 below threshold, 3 and 4 change up, down    |
 * | 1-2  | distance, mm, 0 to 9999                                                      |
 *
 * Source: RBS306-US10M manual (manualshive 777781) p. 9-10 and support.radiobridge.com.
 */
const ultrasonicLevelMessage = measurementMessage({
  eventCode: 0x10,
  event: 'WIRELESS_ULTRASONIC_LEVEL_SENSOR',
  title: 'Ultrasonic Level Event',
  events: reportEvents('Distance'),
  minimumLength: 3,
  fields: [
    {
      key: 'distance',
      unit: 'mm',
      quantity: 'distance',
      min: 0,
      max: 9999,
      label: 'Distance',
      read: uint16,
      at: 1,
      suffix: ' mm',
      state: ' mm',
    },
  ],
})

/*
 * | byte | thresholds              | report on change       |
 * |------|-------------------------|------------------------|
 * | 0    | 0                       | 1                      |
 * | 1    | period                  | period                 |
 * | 2    | hold time               | hold time              |
 * | 3-4  | lower threshold, mm     | increase, mm; 0 off    |
 * | 5-6  | upper threshold, mm     | decrease, mm; 0 off    |
 *
 * Bit 7 of the hold time means seconds, and minutes when clear; periods differ, see `periods.ts`.
 * Source: RBS306-US10M manual (manualshive 777781) p. 9-11. The range is that of the measurement.
 */
const farthest = 9999

const distance: Quantity = {
  name: 'distance',
  unit: 'mm',
  length: 2,
  lowest: 0,
  highest: farthest,
  largestChange: farthest,
}

const settings = measurementSettings(distance, {
  command: 0x10,
  firstId: 1601,
  damping: select({
    id: 1603,
    key: 'hold_time',
    label: 'Hold time',
    description:
      'How long the distance must stay past a limit before the event; keeps a restless surface from sending many. Left empty, off.',
    place: { byte: 2 },
    default: 0,
    options: shortPeriods,
    alsoRead: otherPeriods,
  }),
  lower: { default: 100, remark: 'the sensor measures from 500 mm' },
  upper: { default: 1000 },
})

export const ultrasonicLevel: Sensor = {
  messages: [ultrasonicLevelMessage],
  deviceTypes: [
    {
      typeId: 115,
      typeName: 'Ultrasonic Level',
      partNumber: 'RBS306-US10M',
      otherPartNumbers: ['RBS301-US5M'],
      typeCode: 0x10,
      settings,
    },
    {
      typeId: 116,
      typeName: 'Maxbotix HR Ultrasonic',
      partNumber: 'RBS306-MBHR',
      typeCode: 0x10,
      settings,
    },
  ],
  examples: [
    {
      about: 'the level falls, the distance grows',
      hex: '10100320c9',
      gives: {
        event: 'WIRELESS_ULTRASONIC_LEVEL_SENSOR',
        description: 'Report on change increase',
        values: { distance: 8393 },
        lines: ['Ultrasonic Level Event: Report on change increase', 'Distance: 8393 mm'],
        status: { current_sensor_state: '8393 mm' },
      },
    },
  ],
}
