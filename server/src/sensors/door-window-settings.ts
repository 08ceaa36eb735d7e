import { bits, number } from './setting-fields.ts'
import type { Section } from './settings.ts'

/*
 * | byte | meaning                                              |
 * |------|------------------------------------------------------|
 * | 0    | disabled events: bit 0 opened, bit 1 closed          |
 * | 1-2  | hold time of opened, in 250 ms                       |
 * | 3-4  | hold time of closed, in 250 ms                       |
 *
 * Source: support.radiobridge.com, configuration downlink of a door/window sensor.
 */
const longestHold = 65_535 / 4

export const doorWindowSettings: Section = {
  name: 'sensor',
  label: 'Sensor',
  command: 0x03,
  fields: [
    bits({
      id: 301,
      key: 'disabled_events',
      label: 'Disabled events',
      description: 'Events that are not sent. Left empty, none: all are sent.',
      place: { byte: 0 },
      default: 0,
      texts: ['Opened', 'Closed'],
    }),
    number({
      id: 302,
      key: 'open_hold_time',
      label: 'Hold time of opened',
      description: 'How long it must stay open before the event. Left empty or 0, at once.',
      place: { byte: 1, length: 2 },
      default: 0,
      min: 0,
      max: longestHold,
      unit: 's',
      scale: 4,
    }),
    number({
      id: 303,
      key: 'close_hold_time',
      label: 'Hold time of closed',
      description: 'How long it must stay closed before the event. Left empty or 0, at once.',
      place: { byte: 3, length: 2 },
      default: 0,
      min: 0,
      max: longestHold,
      unit: 's',
      scale: 4,
    }),
  ],
}
