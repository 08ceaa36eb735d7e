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
 * | byte | thresholds                          | report on change      |
 * |------|-------------------------------------|-----------------------|
 * | 0    | 0                                   | 1                     |
 * | 1    | period                              | period                |
 * | 2    | restoral margin in bits 3:0; 0 off  | not used              |
 * | 3    | lower threshold, 0 to 255           | increase; 0 off       |
 * | 4    | upper threshold, 0 to 255           | decrease; 0 off       |
 *
 * Source: ambient light manual (manualslib 2866308) p. 9 and (manualshive 777778) p. 10. It has no
 * defaults; ours are the ends of the scale, which no measurement passes.
 */
const light: Quantity = {
  name: 'light',
  unit: '',
  lowest: 0,
  highest: 255,
  largestChange: 255,
}

export const ambientLightSettings: Section = {
  name: 'sensor',
  label: 'Sensor',
  command: 0x0b,
  fields: [
    modeField(1101),
    periodicReportField(1102),
    restoralMargin(light, { id: 1103, byte: 2, bits: { lowest: 0, count: 4 }, default: 0 }),
    lowerThreshold(light, { id: 1104, byte: 3, default: 0, outcome: 'no event' }),
    upperThreshold(light, { id: 1105, byte: 4, default: 255, outcome: 'no event' }),
    increase(light, { id: 1106, byte: 3 }),
    decrease(light, { id: 1107, byte: 4 }),
  ],
  ordered: [['lower_threshold', 'upper_threshold']],
}
