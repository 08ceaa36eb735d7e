import { doorWindowSettings } from './door-window-settings.ts'
import type { Content, SensorFile } from './sensor.ts'

/*
 * Door/window sensor: magnetic switch.
 *
 * | byte | meaning                                |
 * |------|----------------------------------------|
 * | 0    | 0 closed (magnet present), 1 open      |
 *
 * Source: RBS301-DWS manual (manualshive 1855647) p. 15 and support.radiobridge.com.
 */
function decodeDoorWindow(payload: Uint8Array): Content | undefined {
  if (payload[0] === 0) {
    return {
      description: 'Door Closed',
      values: { state: 'closed' },
      lines: ['Door Closed'],
      status: { current_sensor_state: 'Closed' },
    }
  }
  if (payload[0] === 1) {
    return {
      description: 'Door Opened',
      values: { state: 'open' },
      lines: ['Door Opened'],
      status: { current_sensor_state: 'Open' },
    }
  }
  return undefined
}

export const doorWindow: SensorFile = {
  messages: [{ eventCode: 0x03, event: 'DOOR_SENSOR', minimumLength: 1, decode: decodeDoorWindow }],
  deviceTypes: [
    {
      typeId: 16,
      typeName: 'LoRa Door/Window',
      partNumber: 'RBS301-DWS',
      otherPartNumbers: ['RBS306-DWS', 'RBS3010xx01BN00'],
      typeCode: 0x01,
      eventCodes: [0x03],
      settings: doorWindowSettings,
    },
    {
      typeId: 101,
      typeName: 'Door/Window High Security',
      partNumber: '',
      typeCode: 0x02,
      eventCodes: [0x03],
      settings: doorWindowSettings,
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
