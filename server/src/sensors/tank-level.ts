import type { Content, SensorFile } from './sensor.ts'

/*
 * Tank level float.
 *
 * | byte | meaning           |
 * |------|-------------------|
 * | 0    | 0 full, 1 empty   |
 *
 * Source: RadioBridge/Packet-Decoder, src/decoders/TankLevelSensor.ts.
 */
function decodeTankLevel(payload: Uint8Array): Content | undefined {
  if (payload[0] === 0) {
    return {
      description: 'Tank full',
      values: { state: 'full' },
      lines: ['Tank full'],
      status: { current_sensor_state: 'Full' },
    }
  }
  if (payload[0] === 1) {
    return {
      description: 'Tank empty',
      values: { state: 'empty' },
      lines: ['Tank empty'],
      status: { current_sensor_state: 'Empty' },
    }
  }
  return undefined
}

export const tankLevel: SensorFile = {
  messages: [
    { eventCode: 0x0c, event: 'TANK_LEVEL_SENSOR', minimumLength: 1, decode: decodeTankLevel },
  ],
  deviceTypes: [
    {
      typeId: 109,
      typeName: 'Tank Level Float',
      partNumber: '',
      typeCode: 0x0b,
      eventCodes: [0x0c],
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
