import { bits, number, select } from '../settings/fields.ts'
import type { Section } from '../settings/section.ts'

/*
 * | byte | meaning                                                                          |
 * |------|----------------------------------------------------------------------------------|
 * | 0    | threshold in bits 6:0, at least 5, in the unit of the scale                      |
 * | 1    | settling window in 250 ms                                                        |
 * | 2    | scale: range and unit of the threshold                                           |
 * | 3    | disabled events: bit 0 started, bit 1 stopped                                    |
 *
 * Source: RBS301-ABM manual (manualshive 1855646) p. 18 and support.radiobridge.com, which gives
 * the range of the settling window. No default of threshold and scale is published; ours are the
 * most sensitive.
 */
export const accelerationMovementSettings: Section = {
  name: 'sensor',
  label: 'Sensor',
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
    bits({
      id: 1404,
      key: 'disabled_events',
      label: 'Disabled events',
      description: 'Events that are not sent. Left empty, none: all are sent.',
      place: { byte: 3 },
      default: 0,
      texts: ['Movement started', 'Movement stopped'],
    }),
  ],
}
