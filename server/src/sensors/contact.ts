import { contactSettings } from './contact-settings.ts'
import type { Content, SensorFile } from './sensor.ts'

/*
 * Dry contact sensor.
 *
 * | byte | meaning                                                              |
 * |------|----------------------------------------------------------------------|
 * | 0    | 0 shorted (connected), 1 opened; 2 shorted and 3 opened as well      |
 *
 * Source: RBS301-CON manual (manualslib 3081040) p. 14 and support.radiobridge.com; values 2 and
 * 3: RadioBridge/Packet-Decoder.
 */
function decodeContact(payload: Uint8Array): Content | undefined {
  if (payload[0] === 0 || payload[0] === 2) {
    return {
      description: 'Contacts were shorted',
      values: { state: 'shorted' },
      lines: ['Dry Contact Event', 'Contacts were shorted'],
      status: { current_sensor_state: 'Shorted' },
    }
  }
  if (payload[0] === 1 || payload[0] === 3) {
    return {
      description: 'Contacts were opened',
      values: { state: 'open' },
      lines: ['Dry Contact Event', 'Contacts were opened'],
      status: { current_sensor_state: 'Open' },
    }
  }
  return undefined
}

export const contact: SensorFile = {
  messages: [{ eventCode: 0x07, event: 'CONTACT_SENSOR', minimumLength: 1, decode: decodeContact }],
  deviceTypes: [
    {
      typeId: 18,
      typeName: 'LoRa Contact Sensor',
      partNumber: 'RBS301-CON',
      otherPartNumbers: ['RBS306-CON', 'RBS101-CON', 'RBS3010xx03BN00'],
      typeCode: 0x03,
      eventCodes: [0x07],
      settings: contactSettings,
    },
  ],
  examples: [
    {
      about: 'contacts shorted',
      hex: '100700',
      gives: {
        event: 'CONTACT_SENSOR',
        description: 'Contacts were shorted',
        values: { state: 'shorted' },
        lines: ['Dry Contact Event', 'Contacts were shorted'],
        status: { current_sensor_state: 'Shorted' },
      },
    },
    {
      about: 'contacts opened',
      hex: '100701',
      gives: { values: { state: 'open' }, status: { current_sensor_state: 'Open' } },
    },
  ],
}
