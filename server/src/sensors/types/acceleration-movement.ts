import type { Sensor } from '../sensor.ts'
import { disabledEvents, number, select, sensorSection } from '../settings/section.ts'
import { stateMessage } from '../state-message.ts'

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
  measures: { label: 'Movement', quantity: 'action.motion.detected' },
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

/*
 * | byte | meaning                                                                          |
 * |------|----------------------------------------------------------------------------------|
 * | 0    | threshold in bits 6:0, at least 5, in the unit of the scale                      |
 * | 1    | settling window in 250 ms                                                        |
 * | 2    | scale: range and unit of the threshold                                           |
 * | 3    | disabled events: bit 0 started, bit 1 stopped                                    |
 *
 * Source: RBS301-ABM manual (manualshive 1855646) p. 18 and support.radiobridge.com, which gives
 * the range of the settling window. No defaults of threshold and scale are published. Ours are the
 * most sensitive.
 */
const settings = sensorSection({
  command: 0x0e,
  fields: [
    number({
      id: 1401,
      key: 'threshold',
      label: 'Threshold',
      description:
        'Change of acceleration, on any axis within 250 ms, that is movement; counted in the unit of the scale. Left empty, 5, the least.',
      place: { byte: 0, bits: { lowest: 0, count: 7 } },
      default: 5,
      min: 5,
      max: 127,
      unit: '',
    }),
    number({
      id: 1402,
      key: 'settling_window',
      label: 'Settling window',
      description: 'How long it must be still before it counts as stopped. Left empty, 5 s.',
      place: { byte: 1 },
      default: 5,
      min: 0.25,
      max: 255 / 4,
      unit: 's',
      scale: 4,
    }),
    select({
      id: 1403,
      key: 'scale',
      label: 'Scale',
      description:
        'Range of the sensor and unit of the threshold; the smaller, the more sensitive. Left empty, 2 g.',
      place: { byte: 2 },
      default: 0,
      options: [
        { value: 0, text: '2 g, threshold in 0.016 g' },
        { value: 1, text: '4 g, threshold in 0.032 g' },
        { value: 2, text: '8 g, threshold in 0.062 g' },
        { value: 3, text: '16 g, threshold in 0.186 g' },
      ],
    }),
    disabledEvents(1404, 3, ['Movement started', 'Movement stopped']),
  ],
})

export const accelerationMovement: Sensor = {
  messages: [movementMessage],
  deviceTypes: [
    {
      typeId: 107,
      typeName: 'Acceleration-Based Movement',
      partNumber: 'RBS301-ABM',
      otherPartNumbers: ['RBS306-ABM', 'RBS3010xx08BN00'],
      typeCode: 0x08,
      settings,
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
