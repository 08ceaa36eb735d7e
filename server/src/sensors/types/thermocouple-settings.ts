import { modes, select } from '../settings/fields.ts'
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
 * | byte | thresholds                                   | report on change             |
 * |------|----------------------------------------------|------------------------------|
 * | 0    | type in bits 4:1, bit 0 clear                | type in bits 4:1, bit 0 set  |
 * | 1    | period                                       | period                       |
 * | 2    | restoral margin, °C                          | not used                     |
 * | 3-4  | upper threshold, 1/16 °C, two's complement   | increase, 1/16 °C; 0 off     |
 * | 5-6  | lower threshold, 1/16 °C, two's complement   | decrease, 1/16 °C; 0 off     |
 *
 * The upper threshold comes first, unlike in the other sensors.
 * Source: support.radiobridge.com, configuration downlink of a thermocouple sensor. Its frames have
 * 0 and 1 in byte 0, where its own explanation gives 6 and 7 for type K. It has no defaults; ours
 * are the ends of the range, which no measurement passes.
 */
const lowest = -250
const highest = 1600

const temperature: Quantity = {
  name: 'temperature',
  unit: '°C',
  scale: 16,
  length: 2,
  isSigned: true,
  lowest,
  highest,
  largestChange: highest - lowest,
}

export const thermocoupleSettings: Section = {
  name: 'sensor',
  label: 'Sensor',
  command: 0x13,
  fields: [
    select({
      id: 1901,
      key: 'mode',
      label: 'Mode',
      description:
        'Thresholds: an event when the measurement passes a limit. Report on change: an event when it has changed by an amount. Left empty, thresholds.',
      place: { byte: 0, bits: { lowest: 0, count: 1 } },
      default: 0,
      options: modes,
    }),
    select({
      id: 1902,
      key: 'thermocouple_type',
      label: 'Type of thermocouple',
      description: 'What is connected. Left empty, type K, which comes with the sensor.',
      place: { byte: 0, bits: { lowest: 1, count: 4 } },
      default: 3,
      options: [
        { value: 0, text: 'Type B' },
        { value: 1, text: 'Type E' },
        { value: 2, text: 'Type J' },
        { value: 3, text: 'Type K' },
        { value: 4, text: 'Type N' },
        { value: 5, text: 'Type R' },
        { value: 6, text: 'Type S' },
        { value: 7, text: 'Type T' },
        { value: 8, text: 'Voltage, gain 8' },
        { value: 12, text: 'Voltage, gain 32' },
      ],
    }),
    periodicReportField(1903),
    restoralMargin({ ...temperature, scale: 1 }, { id: 1904, byte: 2, default: 0 }),
    upperThreshold(temperature, {
      id: 1905,
      byte: 3,
      default: highest,
      outcome: 'no event',
    }),
    lowerThreshold(temperature, { id: 1906, byte: 5, default: lowest, outcome: 'no event' }),
    increase(temperature, { id: 1907, byte: 3 }),
    decrease(temperature, { id: 1908, byte: 5 }),
  ],
  ordered: [['lower_threshold', 'upper_threshold']],
}
