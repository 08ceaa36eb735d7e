import { bits, number } from '../settings/fields.ts'
import type { Section } from '../settings/section.ts'

/*
 * | byte | meaning                                                     |
 * |------|-------------------------------------------------------------|
 * | 0    | disabled events: bit 0 water present, bit 1 not present     |
 * | 1    | threshold of the relative resistance, 0 to 255              |
 * | 2    | restoral margin, 0 to 255                                   |
 *
 * Source: RBS301-WAT manual (manualslib 3297132) p. 9 and, for the defaults, support.radiobridge.com,
 * configuration downlink of a water rope. The article on the leak probe has the two bits the other
 * way round; an older copy of the one on the rope has 0 as default of the margin.
 */
export const waterSettings: Section = {
  name: 'sensor',
  label: 'Sensor',
  command: 0x08,
  fields: [
    bits({
      id: 801,
      key: 'disabled_events',
      label: 'Disabled events',
      description: 'Events that are not sent. Left empty, none: all are sent.',
      place: { byte: 0 },
      default: 0,
      texts: ['Water present', 'Water not present'],
    }),
    number({
      id: 802,
      key: 'threshold',
      label: 'Threshold',
      description:
        'Relative resistance, 0 to 255, that tells water; liquids differ, so take it from an event of the sensor. Left empty, 80.',
      place: { byte: 1 },
      default: 80,
      min: 0,
      max: 255,
      unit: '',
    }),
    number({
      id: 803,
      key: 'restoral_margin',
      label: 'Restoral margin',
      description:
        'How far the resistance must come back past the threshold before the next event. Left empty, 40.',
      place: { byte: 2 },
      default: 40,
      min: 0,
      max: 255,
      unit: '',
    }),
  ],
}
