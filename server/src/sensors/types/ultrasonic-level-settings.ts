import { modeField, select } from '../settings/fields.ts'
import {
  decrease,
  increase,
  lowerThreshold,
  type Quantity,
  upperThreshold,
} from '../settings/measurement-fields.ts'
import { otherPeriods, periodicReportField, shortPeriods } from '../settings/periods.ts'
import type { Section } from '../settings/section.ts'

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

const distance: Quantity = {
  name: 'distance',
  unit: 'mm',
  length: 2,
  lowest: 0,
  highest: farthest,
  largestChange: farthest,
}

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
    lowerThreshold(distance, {
      id: 1604,
      byte: 3,
      default: 100,
      remark: 'the sensor measures from 500 mm',
    }),
    upperThreshold(distance, { id: 1605, byte: 5, default: 1000 }),
    increase(distance, { id: 1606, byte: 3 }),
    decrease(distance, { id: 1607, byte: 5 }),
  ],
  ordered: [['lower_threshold', 'upper_threshold']],
}
