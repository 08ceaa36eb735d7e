import { twoStateSettings } from '../settings/two-states.ts'

/* Source: RBS301-CON manual (manualslib 3081040) p. 21. */
export const contactSettings = twoStateSettings({
  command: 0x07,
  firstId: 701,
  states: [
    { key: 'shorted_hold_time', name: 'shorted', condition: 'the contacts must stay shorted' },
    { key: 'opened_hold_time', name: 'opened', condition: 'the contacts must stay opened' },
  ],
})
