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
 * | 2    | restoral margin, 10 mV       | not used                     |
 * | 3-4  | lower threshold, 10 mV       | increase, 10 mV; 0 off       |
 * | 5-6  | upper threshold, 10 mV       | decrease, 10 mV; 0 off       |
 *
 * Source: RBS306-VM30 manual (manualslib 3289713) p. 8-10. It does not name the unit of the margin;
 * an article of support.radiobridge.com reads it as 1 mV. We take that of the thresholds, as the
 * current loop sensor does.
 */
const highest = 30

const voltage: Quantity = {
  name: 'voltage',
  unit: 'V',
  scale: 100,
  length: 2,
  lowest: 0,
  highest,
  largestChange: highest,
}

export const voltageSettings: Section = {
  name: 'sensor',
  label: 'Sensor',
  command: 0x14,
  fields: [
    modeField(2001),
    periodicReportField(2002),
    restoralMargin(voltage, {
      id: 2003,
      byte: 2,
      default: 0.1,
      isInferred: true,
      note: 'Sources differ on the unit of this margin: 10 mV, taken here, or 1 mV.',
    }),
    lowerThreshold(voltage, { id: 2004, byte: 3, default: 10 }),
    upperThreshold(voltage, { id: 2005, byte: 5, default: 12 }),
    increase(voltage, { id: 2006, byte: 3 }),
    decrease(voltage, { id: 2007, byte: 5 }),
  ],
  ordered: [['lower_threshold', 'upper_threshold']],
}
