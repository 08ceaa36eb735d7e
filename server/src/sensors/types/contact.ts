import type { Sensor } from '../sensor.ts'
import { twoStateSettings } from '../settings/two-states.ts'
import { type SensorState, stateMessage } from '../state-message.ts'

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
const shorted: SensorState = {
  state: 'shorted',
  description: 'Contacts were shorted',
  status: { current_sensor_state: 'Shorted' },
}
const opened: SensorState = {
  state: 'open',
  description: 'Contacts were opened',
  status: { current_sensor_state: 'Open' },
}

const contactMessage = stateMessage({
  eventCode: 0x07,
  event: 'CONTACT_SENSOR',
  measures: { label: 'Contact', quantity: 'action.contactState' },
  states: [shorted, opened, shorted, opened],
  lines: (description) => ['Dry Contact Event', description],
})

/* Source: RBS301-CON manual (manualslib 3081040) p. 21. */
const settings = twoStateSettings({
  command: 0x07,
  firstId: 701,
  states: [
    { key: 'shorted_hold_time', name: 'shorted', condition: 'the contacts must stay shorted' },
    { key: 'opened_hold_time', name: 'opened', condition: 'the contacts must stay opened' },
  ],
})

export const contact: Sensor = {
  messages: [contactMessage],
  deviceTypes: [
    {
      typeId: 18,
      typeName: 'LoRa Contact Sensor',
      partNumber: 'RBS301-CON',
      otherPartNumbers: ['RBS306-CON', 'RBS101-CON', 'RBS3010xx03BN00'],
      typeCode: 0x03,
      settings,
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
