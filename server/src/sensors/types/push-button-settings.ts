import { bits, number } from '../settings/fields.ts'
import type { Section } from '../settings/section.ts'

/*
 * | byte | meaning                                                                              |
 * |------|--------------------------------------------------------------------------------------|
 * | 0    | disabled events: bit 0 pressed, bit 1 released, bit 2 held                           |
 * | 1    | hold delay in 250 ms, 0 to 20; 0: no event                                           |
 * | 2    | light (firmware 2.0): bit 0 not while pressed, bit 1 no blink after sending, bit 2   |
 * |      | no blink after the confirmation                                                      |
 *
 * Source: single button manual (manualslib 2610620) p. 16 and support.radiobridge.com.
 */
export const pushButtonSettings: Section = {
  name: 'sensor',
  label: 'Sensor',
  command: 0x06,
  fields: [
    bits({
      id: 601,
      key: 'disabled_events',
      label: 'Disabled events',
      description: 'Events that are not sent. Left empty, none: all are sent.',
      place: { byte: 0 },
      default: 0,
      texts: ['Pressed', 'Released', 'Held'],
    }),
    number({
      id: 602,
      key: 'hold_delay',
      label: 'Hold delay',
      description:
        'How long the button must be pressed for the event "held". Left empty or 0, there is no such event.',
      place: { byte: 1 },
      default: 0,
      min: 0,
      max: 5,
      unit: 's',
      scale: 4,
    }),
    bits({
      id: 603,
      key: 'light',
      label: 'Light turned off',
      description: 'When the light stays dark. Needs firmware 2.0. Left empty, never.',
      place: { byte: 2 },
      default: 0,
      texts: ['While pressed', 'After sending', 'After confirmation'],
    }),
  ],
}
