import { modeField } from '../settings/fields.ts'
import {
  decrease,
  increase,
  lowerThreshold,
  type Quantity,
  restoralMargin,
  upperThreshold,
} from '../settings/measurement-fields.ts'
import { periodicReportField } from '../settings/periods.ts'
import type { Section } from '../settings/section.ts'

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

const current: Quantity = {
  name: 'current',
  unit: 'mA',
  scale: 100,
  length: 2,
  lowest: 0,
  highest,
  largestChange: highest,
}

export const currentLoopSettings: Section = {
  name: 'sensor',
  label: 'Sensor',
  command: 0x11,
  fields: [
    modeField(1701),
    periodicReportField(1702),
    restoralMargin(current, { id: 1703, byte: 2, default: 0 }),
    lowerThreshold(current, { id: 1704, byte: 3, default: 4 }),
    upperThreshold(current, { id: 1705, byte: 5, default: 20 }),
    increase(current, { id: 1706, byte: 3 }),
    decrease(current, { id: 1707, byte: 5 }),
  ],
  ordered: [['lower_threshold', 'upper_threshold']],
}
