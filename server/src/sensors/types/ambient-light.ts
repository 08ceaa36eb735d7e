import { uint8 } from '../bytes.ts'
import { measurementMessage, reportEvents } from '../measurement-message.ts'
import type { Sensor } from '../sensor.ts'
import {
  measurementSettings,
  type Quantity,
  restoralMargin,
} from '../settings/measurement-fields.ts'

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
const ambientLightMessage = measurementMessage({
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
      state: '',
      min: 0,
      max: 255,
      prefix: 'Light ',
    },
  ],
})

/*
 * | byte | thresholds                          | report on change      |
 * |------|-------------------------------------|-----------------------|
 * | 0    | 0                                   | 1                     |
 * | 1    | period                              | period                |
 * | 2    | restoral margin in bits 3:0; 0 off  | not used              |
 * | 3    | lower threshold, 0 to 255           | increase; 0 off       |
 * | 4    | upper threshold, 0 to 255           | decrease; 0 off       |
 *
 * Source: ambient light manual (manualslib 2866308) p. 9 and (manualshive 777778) p. 10. It has no
 * defaults. Ours are the ends of the scale, which no measurement passes.
 */
const light: Quantity = {
  name: 'light',
  unit: '',
  lowest: 0,
  highest: 255,
  largestChange: 255,
}

const settings = measurementSettings(light, {
  command: 0x0b,
  firstId: 1101,
  damping: restoralMargin(light, { id: 1103, byte: 2, bits: { lowest: 0, count: 4 }, default: 0 }),
  lower: { default: 0, outcome: 'no event' },
  upper: { default: 255, outcome: 'no event' },
})

export const ambientLight: Sensor = {
  messages: [ambientLightMessage],
  deviceTypes: [
    {
      typeId: 111,
      typeName: 'Ambient Light',
      partNumber: 'RBS301-AL',
      otherPartNumbers: ['RBS306-AL', 'RBS101-AL'],
      typeCode: 0x0d,
      settings,
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
