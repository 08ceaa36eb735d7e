import { uint8 } from '../bytes.ts'
import { measuringMessage } from '../measurement-message.ts'
import { reportEvents } from '../report-events.ts'
import type { SensorFile } from '../sensor.ts'
import { ambientLightSettings } from './ambient-light-settings.ts'

/*
 * Ambient light sensor.
 *
 * | byte | meaning                                                                      |
 * |------|------------------------------------------------------------------------------|
 * | 0    | 0 periodic, 1 above threshold, 2 below threshold, 3 and 4 change up, down    |
 * | 1    | relative light, 0 to 255                                                     |
 *
 * Source: ambient light manual (manualslib 2866308) p. 9.
 */
const ambientLightMessage = measuringMessage({
  eventCode: 0x0b,
  event: 'AMBIENT_LIGHT_SENSOR',
  title: 'Ambient Light Event',
  events: reportEvents('Ambient light'),
  minimumLength: 2,
  fields: [
    {
      key: 'relativeLight',
      label: 'Relative light',
      read: uint8,
      at: 1,
      suffix: '',
      state: '',
    },
  ],
})

export const ambientLight: SensorFile = {
  messages: [ambientLightMessage],
  deviceTypes: [
    {
      typeId: 111,
      typeName: 'Ambient Light',
      partNumber: 'RBS301-AL',
      otherPartNumbers: ['RBS306-AL', 'RBS101-AL'],
      typeCode: 0x0d,
      eventCodes: [0x0b],
      settings: ambientLightSettings,
    },
  ],
  examples: [
    {
      about: 'lights switched on',
      hex: '100b01c8',
      gives: {
        event: 'AMBIENT_LIGHT_SENSOR',
        description: 'Ambient light has risen above upper threshold',
        values: { relativeLight: 200 },
        lines: [
          'Ambient Light Event: Ambient light has risen above upper threshold',
          'Relative light: 200',
        ],
        status: { current_sensor_state: '200' },
      },
    },
  ],
}
