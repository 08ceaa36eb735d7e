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
 * | byte | thresholds                               | report on change                         |
 * |------|------------------------------------------|------------------------------------------|
 * | 0    | 0                                        | 1                                        |
 * | 1    | period                                   | period                                   |
 * | 2    | restoral margin in bits 3:0, °C          | not used                                 |
 * | 3    | lower threshold, °C, two's complement    | increase, °C; 0 off                      |
 * | 4    | upper threshold, °C, two's complement    | decrease, °C; 0 off                      |
 *
 * Source: support.radiobridge.com, configuration downlinks of a no-probe (which gives the range)
 * and of an external probe temperature sensor.
 */
const temperature: Quantity = {
  name: 'temperature',
  unit: '°C',
  isSigned: true,
  lowest: -40,
  highest: 100,
  largestChange: 255,
}

export const temperatureSettings: Section = {
  name: 'sensor',
  label: 'Sensor',
  command: 0x09,
  fields: [
    modeField(901),
    periodicReportField(902),
    restoralMargin(temperature, {
      id: 903,
      byte: 2,
      bits: { lowest: 0, count: 4 },
      default: 5,
    }),
    lowerThreshold(temperature, { id: 904, byte: 3, default: 10 }),
    upperThreshold(temperature, { id: 905, byte: 4, default: 90 }),
    increase(temperature, { id: 906, byte: 3 }),
    decrease(temperature, { id: 907, byte: 4 }),
  ],
  ordered: [['lower_threshold', 'upper_threshold']],
}
