import { bits, number } from '../settings/fields.ts'
import type { Section } from '../settings/section.ts'

/*
 * | byte | meaning                                                                          |
 * |------|----------------------------------------------------------------------------------|
 * | 0    | disabled events: bit 0 to horizontal, bit 1 to vertical, bit 2 change toward     |
 * |      | horizontal, bit 3 change toward vertical; the last two by default                |
 * | 1    | angle from vertical that counts as horizontal, degrees                           |
 * | 2    | angle from vertical that counts as vertical, degrees                             |
 * | 3    | hold time of vertical, in 250 ms                                                 |
 * | 4    | hold time of horizontal, in 250 ms (inferred)                                    |
 * | 5    | change toward vertical, degrees (inferred)                                       |
 * | 6    | change toward horizontal, degrees (inferred)                                     |
 *
 * Source: support.radiobridge.com, configuration downlink of a tilt sensor; bytes 4 to 6 are in its
 * example only. Its explanation of that example swaps bits 0 and 1 against its own table, which we
 * follow. It has no default angles; ours are those that the RBS306-TILT-HP manual (manualshive
 * 3287106, p. 11) takes for a garage door.
 */
const steepest = 90
const longestHold = 255 / 4

export const tiltSettings: Section = {
  name: 'sensor',
  label: 'Sensor',
  command: 0x0a,
  fields: [
    bits({
      id: 1001,
      key: 'disabled_events',
      label: 'Disabled events',
      description: 'Events that are not sent. Left empty, both reports on change.',
      place: { byte: 0 },
      default: 0b1100,
      texts: ['To horizontal', 'To vertical', 'Change toward horizontal', 'Change toward vertical'],
    }),
    number({
      id: 1002,
      key: 'horizontal_angle',
      label: 'Angle of horizontal',
      description: 'Angle from vertical at which the sensor is horizontal. Left empty, 55 degrees.',
      place: { byte: 1 },
      default: 55,
      min: 0,
      max: steepest,
      unit: 'degrees',
    }),
    number({
      id: 1003,
      key: 'vertical_angle',
      label: 'Angle of vertical',
      description: 'Angle from vertical at which the sensor is vertical. Left empty, 35 degrees.',
      place: { byte: 2 },
      default: 35,
      min: 0,
      max: steepest,
      unit: 'degrees',
    }),
    number({
      id: 1004,
      key: 'vertical_hold_time',
      label: 'Hold time of vertical',
      description: 'How long it must stay vertical before the event. Left empty or 0, at once.',
      place: { byte: 3 },
      default: 0,
      min: 0,
      max: longestHold,
      unit: 's',
      scale: 4,
    }),
    number({
      id: 1005,
      key: 'horizontal_hold_time',
      label: 'Hold time of horizontal',
      description: 'How long it must stay horizontal before the event. Left empty or 0, at once.',
      place: { byte: 4 },
      default: 0,
      min: 0,
      max: longestHold,
      unit: 's',
      scale: 4,
      isInferred: true,
    }),
    number({
      id: 1006,
      key: 'change_toward_vertical',
      label: 'Change toward vertical',
      description:
        'An event when the angle has changed by this toward vertical, unless disabled. Left empty or 0, off.',
      place: { byte: 5 },
      default: 0,
      min: 0,
      max: steepest,
      unit: 'degrees',
      isInferred: true,
    }),
    number({
      id: 1007,
      key: 'change_toward_horizontal',
      label: 'Change toward horizontal',
      description:
        'An event when the angle has changed by this toward horizontal, unless disabled. Left empty or 0, off.',
      place: { byte: 6 },
      default: 0,
      min: 0,
      max: steepest,
      unit: 'degrees',
      isInferred: true,
    }),
  ],
}
