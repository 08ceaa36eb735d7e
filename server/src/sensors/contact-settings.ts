import { bits, number } from './setting-fields.ts'
import type { Section } from './settings.ts'

/*
 * | byte | meaning                                              |
 * |------|------------------------------------------------------|
 * | 0    | disabled events: bit 0 shorted, bit 1 opened         |
 * | 1-2  | hold time of shorted, in 250 ms                      |
 * | 3-4  | hold time of opened, in 250 ms                       |
 *
 * Source: RBS301-CON manual (manualslib 3081040) p. 21.
 */
const longestHold = 65_535 / 4

export const contactSettings: Section = {
  name: 'sensor',
  label: 'Sensor',
  command: 0x07,
  fields: [
    bits({
      id: 701,
      key: 'disabled_events',
      label: 'Disabled events',
      description: 'Events that are not sent. Left empty, none: all are sent.',
      place: { byte: 0 },
      default: 0,
      texts: ['Shorted', 'Opened'],
    }),
    number({
      id: 702,
      key: 'shorted_hold_time',
      label: 'Hold time of shorted',
      description:
        'How long the contacts must stay shorted before the event. Left empty or 0, at once.',
      place: { byte: 1, length: 2 },
      default: 0,
      min: 0,
      max: longestHold,
      unit: 's',
      scale: 4,
    }),
    number({
      id: 703,
      key: 'opened_hold_time',
      label: 'Hold time of opened',
      description:
        'How long the contacts must stay opened before the event. Left empty or 0, at once.',
      place: { byte: 3, length: 2 },
      default: 0,
      min: 0,
      max: longestHold,
      unit: 's',
      scale: 4,
    }),
  ],
}
