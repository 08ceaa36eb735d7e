import { otherPeriods, periodicReportField, shortPeriods } from './periods.ts'
import { inChangeMode, inThresholdMode, modeField, number, select } from './setting-fields.ts'
import type { Section } from './settings.ts'

/*
 * | byte | thresholds              | report on change       |
 * |------|-------------------------|------------------------|
 * | 0    | 0                       | 1                      |
 * | 1    | period                  | period                 |
 * | 2    | hold time               | hold time              |
 * | 3-4  | lower threshold, mm     | increase, mm; 0 off    |
 * | 5-6  | upper threshold, mm     | decrease, mm; 0 off    |
 *
 * Bit 7 of the hold time means seconds, and minutes when clear: not as in a period, see `periods.ts`.
 * Source: RBS306-US10M manual (manualshive 777781) p. 9-11. The range is that of the measurement.
 */
const farthest = 9999

export const ultrasonicLevelSettings: Section = {
  name: 'sensor',
  label: 'Sensor',
  command: 0x10,
  fields: [
    modeField(1601),
    periodicReportField(1602),
    select({
      id: 1603,
      key: 'hold_time',
      label: 'Hold time',
      description:
        'How long the distance must stay past a limit before the event; keeps a restless surface from sending many. Left empty, off.',
      place: { byte: 2 },
      default: 0,
      options: shortPeriods,
      alsoRead: otherPeriods,
    }),
    number({
      id: 1604,
      key: 'lower_threshold',
      label: 'Lower threshold',
      description:
        'An event when the distance falls below it; the sensor measures from 500 mm. Left empty, 100 mm.',
      place: { byte: 3, length: 2 },
      default: 100,
      onlyWhen: inThresholdMode,
      min: 0,
      max: farthest,
      unit: 'mm',
    }),
    number({
      id: 1605,
      key: 'upper_threshold',
      label: 'Upper threshold',
      description: 'An event when the distance rises above it. Left empty, 1000 mm.',
      place: { byte: 5, length: 2 },
      default: 1000,
      onlyWhen: inThresholdMode,
      min: 0,
      max: farthest,
      unit: 'mm',
    }),
    number({
      id: 1606,
      key: 'increase',
      label: 'Increase',
      description: 'An event when the distance has grown by this. Left empty or 0, off.',
      place: { byte: 3, length: 2 },
      default: 0,
      onlyWhen: inChangeMode,
      min: 0,
      max: farthest,
      unit: 'mm',
    }),
    number({
      id: 1607,
      key: 'decrease',
      label: 'Decrease',
      description: 'An event when the distance has shrunk by this. Left empty or 0, off.',
      place: { byte: 5, length: 2 },
      default: 0,
      onlyWhen: inChangeMode,
      min: 0,
      max: farthest,
      unit: 'mm',
    }),
  ],
  ordered: [['lower_threshold', 'upper_threshold']],
}
