import { uint16 } from '../bytes.ts'
import { measuringMessage } from '../measurement-message.ts'
import { reportEvents } from '../report-events.ts'
import type { SensorFile } from '../sensor.ts'
import { ultrasonicLevelSettings } from './ultrasonic-level-settings.ts'

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
const ultrasonicLevelMessage = measuringMessage({
  eventCode: 0x10,
  event: 'WIRELESS_ULTRASONIC_LEVEL_SENSOR',
  title: 'Ultrasonic Level Event',
  events: reportEvents('Distance'),
  minimumLength: 3,
  fields: [
    {
      key: 'distance',
      label: 'Distance',
      read: uint16,
      at: 1,
      suffix: ' mm',
      state: ' mm',
    },
  ],
})

export const ultrasonicLevel: SensorFile = {
  messages: [ultrasonicLevelMessage],
  deviceTypes: [
    {
      typeId: 115,
      typeName: 'Ultrasonic Level',
      partNumber: 'RBS306-US10M',
      otherPartNumbers: ['RBS301-US5M'],
      typeCode: 0x10,
      eventCodes: [0x10],
      settings: ultrasonicLevelSettings,
    },
    {
      typeId: 116,
      typeName: 'Maxbotix HR Ultrasonic',
      partNumber: 'RBS306-MBHR',
      typeCode: 0x10,
      eventCodes: [0x10],
      settings: ultrasonicLevelSettings,
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
