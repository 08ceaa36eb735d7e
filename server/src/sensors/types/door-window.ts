import type { Sensor } from '../sensor.ts'
import { twoStateSettings } from '../settings/two-states.ts'
import { stateMessage } from '../state-message.ts'

/*
 * Door/window sensor: magnetic switch.
 *
 * | byte | meaning                                |
 * |------|----------------------------------------|
 * | 0    | 0 closed (magnet present), 1 open      |
 *
 * Source: RBS301-DWS manual (manualshive 1855647) p. 15 and support.radiobridge.com.
 */
const doorWindowMessage = stateMessage({
  eventCode: 0x03,
  event: 'DOOR_SENSOR',
  measures: { label: 'Door', quantity: 'action.contactState' },
  states: [
    { state: 'closed', description: 'Door Closed', status: { current_sensor_state: 'Closed' } },
    { state: 'open', description: 'Door Opened', status: { current_sensor_state: 'Open' } },
  ],
})

/* Source: support.radiobridge.com, configuration downlink of a door/window sensor. */
const settings = twoStateSettings({
  command: 0x03,
  firstId: 301,
  states: [
    { key: 'open_hold_time', name: 'opened', condition: 'it must stay open' },
    { key: 'close_hold_time', name: 'closed', condition: 'it must stay closed' },
  ],
})

export const doorWindow: Sensor = {
  messages: [doorWindowMessage],
  deviceTypes: [
    {
      typeId: 16,
      typeName: 'LoRa Door/Window',
      partNumber: 'RBS301-DWS',
      otherPartNumbers: ['RBS306-DWS', 'RBS3010xx01BN00'],
      typeCode: 0x01,
      settings,
    },
    {
      typeId: 101,
      typeName: 'Door/Window High Security',
      partNumber: '',
      typeCode: 0x02,
      settings,
    },
  ],
  examples: [
    {
      about: 'opened',
      hex: '100301',
      gives: {
        event: 'DOOR_SENSOR',
        description: 'Door Opened',
        values: { state: 'open' },
        lines: ['Door Opened'],
        status: { current_sensor_state: 'Open' },
      },
    },
    {
      about: 'closed',
      hex: '170300',
      gives: {
        sequence: [7],
        description: 'Door Closed',
        values: { state: 'closed' },
        status: { current_sensor_state: 'Closed' },
      },
    },
  ],
}
