import { ambientLightSettings } from './ambient-light-settings.ts'
import { uint8 } from './bytes.ts'
import { reportEvents } from './report-events.ts'
import type { Content, SensorFile } from './sensor.ts'

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
const events = reportEvents('Ambient light')

function decodeAmbientLight(payload: Uint8Array): Content | undefined {
  const description = events[uint8(payload, 0)]
  if (!description) return undefined
  const relativeLight = uint8(payload, 1)
  return {
    description,
    values: { relativeLight },
    lines: [`Ambient Light Event: ${description}`, `Relative light: ${relativeLight}`],
    status: { current_sensor_state: `${relativeLight}` },
  }
}

export const ambientLight: SensorFile = {
  messages: [
    {
      eventCode: 0x0b,
      event: 'AMBIENT_LIGHT_SENSOR',
      minimumLength: 2,
      decode: decodeAmbientLight,
    },
  ],
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
