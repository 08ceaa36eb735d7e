import { accelerationMovementSettings } from './acceleration-movement-settings.ts'
import type { Content, SensorFile } from './sensor.ts'

/*
 * Acceleration-based movement sensor.
 *
 * | byte | meaning                                                    |
 * |------|------------------------------------------------------------|
 * | 0    | 0 movement started, 1 stopped (settling window over)       |
 *
 * Source: RBS301-ABM manual (manualshive 1855646) p. 11-18 and support.radiobridge.com.
 */
function decodeMovement(payload: Uint8Array): Content | undefined {
  if (payload[0] === 0) {
    return {
      description: 'Acceleration started',
      values: { state: 'started' },
      lines: ['Movement Event: Acceleration started'],
      status: { current_sensor_state: 'Moving' },
    }
  }
  if (payload[0] === 1) {
    return {
      description: 'Acceleration stopped',
      values: { state: 'stopped' },
      lines: ['Movement Event: Acceleration stopped'],
      status: { current_sensor_state: 'Still' },
    }
  }
  return undefined
}

export const accelerationMovement: SensorFile = {
  messages: [
    {
      eventCode: 0x0e,
      event: 'ACCELERATION_MOVEMENT_SENSOR',
      minimumLength: 1,
      decode: decodeMovement,
    },
  ],
  deviceTypes: [
    {
      typeId: 107,
      typeName: 'Acceleration-Based Movement',
      partNumber: 'RBS301-ABM',
      otherPartNumbers: ['RBS306-ABM', 'RBS3010xx08BN00'],
      typeCode: 0x08,
      eventCodes: [0x0e],
      settings: accelerationMovementSettings,
    },
  ],
  examples: [
    {
      about: 'begins to move',
      hex: '100e00',
      gives: {
        event: 'ACCELERATION_MOVEMENT_SENSOR',
        description: 'Acceleration started',
        values: { state: 'started' },
        lines: ['Movement Event: Acceleration started'],
        status: { current_sensor_state: 'Moving' },
      },
    },
    {
      about: 'has come to rest',
      hex: '110e01',
      gives: { values: { state: 'stopped' }, status: { current_sensor_state: 'Still' } },
    },
  ],
}
