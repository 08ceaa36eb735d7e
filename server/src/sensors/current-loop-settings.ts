import { periodicReportField } from './periods.ts'
import { inChangeMode, inThresholdMode, modeField, number } from './setting-fields.ts'
import type { Section } from './settings.ts'

/*
 * | byte | thresholds                   | report on change             |
 * |------|------------------------------|------------------------------|
 * | 0    | 0                            | 1                            |
 * | 1    | period                       | period                       |
 * | 2    | restoral margin, 10 uA       | not used                     |
 * | 3-4  | lower threshold, 10 uA       | increase, 10 uA; 0 off       |
 * | 5-6  | upper threshold, 10 uA       | decrease, 10 uA; 0 off       |
 *
 * Source: support.radiobridge.com, configuration downlink of a current loop sensor. It has neither
 * range nor defaults: our default thresholds are the ends of the loop's range, our highest current
 * leaves room above it for the 21 mA and more by which transmitters tell a fault (NAMUR NE 43).
 */
const highest = 25

export const currentLoopSettings: Section = {
  name: 'sensor',
  label: 'Sensor',
  command: 0x11,
  fields: [
    modeField(1701),
    periodicReportField(1702),
    number({
      id: 1703,
      key: 'restoral_margin',
      label: 'Restoral margin',
      description:
        'How far the current must come back past a threshold before the next event. Left empty or 0, off.',
      place: { byte: 2 },
      default: 0,
      onlyWhen: inThresholdMode,
      min: 0,
      max: 2.55,
      unit: 'mA',
      scale: 100,
    }),
    number({
      id: 1704,
      key: 'lower_threshold',
      label: 'Lower threshold',
      description: 'An event when the current falls below it. Left empty, 4 mA.',
      place: { byte: 3, length: 2 },
      default: 4,
      onlyWhen: inThresholdMode,
      min: 0,
      max: highest,
      unit: 'mA',
      scale: 100,
    }),
    number({
      id: 1705,
      key: 'upper_threshold',
      label: 'Upper threshold',
      description: 'An event when the current rises above it. Left empty, 20 mA.',
      place: { byte: 5, length: 2 },
      default: 20,
      onlyWhen: inThresholdMode,
      min: 0,
      max: highest,
      unit: 'mA',
      scale: 100,
    }),
    number({
      id: 1706,
      key: 'increase',
      label: 'Increase',
      description: 'An event when the current has risen by this. Left empty or 0, off.',
      place: { byte: 3, length: 2 },
      default: 0,
      onlyWhen: inChangeMode,
      min: 0,
      max: highest,
      unit: 'mA',
      scale: 100,
    }),
    number({
      id: 1707,
      key: 'decrease',
      label: 'Decrease',
      description: 'An event when the current has fallen by this. Left empty or 0, off.',
      place: { byte: 5, length: 2 },
      default: 0,
      onlyWhen: inChangeMode,
      min: 0,
      max: highest,
      unit: 'mA',
      scale: 100,
    }),
  ],
  ordered: [['lower_threshold', 'upper_threshold']],
}
