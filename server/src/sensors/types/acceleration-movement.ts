import type { SensorFile } from '../sensor.ts'
import { stateMessage } from '../state-message.ts'
import { accelerationMovementSettings } from './acceleration-movement-settings.ts'

/*
 * Acceleration-based movement sensor.
 *
 * | byte | meaning                                                    |
 * |------|------------------------------------------------------------|
 * | 0    | 0 movement started, 1 stopped (settling window over)       |
 *
 * Source: RBS301-ABM manual (manualshive 1855646) p. 11-18 and support.radiobridge.com.
 */
const movementMessage = stateMessage({
  eventCode: 0x0e,
  event: 'ACCELERATION_MOVEMENT_SENSOR',
  states: [
    {
      state: 'started',
      description: 'Acceleration started',
      status: { current_sensor_state: 'Moving' },
    },
    {
      state: 'stopped',
      description: 'Acceleration stopped',
      status: { current_sensor_state: 'Still' },
    },
  ],
  lines: (description) => [`Movement Event: ${description}`],
})

export const accelerationMovement: SensorFile = {
  messages: [movementMessage],
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
