import type { Sensor } from '../sensor.ts'
import { stateMessage } from '../state-message.ts'

/*
 * Tank level float.
 *
 * | byte | meaning           |
 * |------|-------------------|
 * | 0    | 0 full, 1 empty   |
 *
 * Source: RadioBridge/Packet-Decoder, src/decoders/TankLevelSensor.ts.
 */
const tankLevelMessage = stateMessage({
  eventCode: 0x0c,
  event: 'TANK_LEVEL_SENSOR',
  measures: { label: 'Tank' },
  states: [
    { state: 'full', description: 'Tank full', status: { current_sensor_state: 'Full' } },
    { state: 'empty', description: 'Tank empty', status: { current_sensor_state: 'Empty' } },
  ],
})

export const tankLevel: Sensor = {
  messages: [tankLevelMessage],
  deviceTypes: [
    {
      typeId: 109,
      typeName: 'Tank Level Float',
      partNumber: '',
      typeCode: 0x0b,
    },
  ],
  examples: [
    {
      about: 'full',
      hex: '170c00',
      gives: {
        event: 'TANK_LEVEL_SENSOR',
        description: 'Tank full',
        values: { state: 'full' },
        lines: ['Tank full'],
        status: { current_sensor_state: 'Full' },
      },
    },
    {
      about: 'empty',
      hex: '180c01',
      gives: { values: { state: 'empty' }, status: { current_sensor_state: 'Empty' } },
    },
  ],
}
