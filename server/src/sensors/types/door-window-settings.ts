import { twoStateSettings } from '../settings/two-states.ts'

/* Source: support.radiobridge.com, configuration downlink of a door/window sensor. */
export const doorWindowSettings = twoStateSettings({
  command: 0x03,
  firstId: 301,
  states: [
    { key: 'open_hold_time', name: 'opened', condition: 'it must stay open' },
    { key: 'close_hold_time', name: 'closed', condition: 'it must stay closed' },
  ],
})
