import { periodicReportField } from './periods.ts'
import { inChangeMode, inThresholdMode, modes, number, select } from './setting-fields.ts'
import type { Section } from './settings.ts'

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
    number({
      id: 1904,
      key: 'restoral_margin',
      label: 'Restoral margin',
      description:
        'How far the temperature must come back past a threshold before the next event. Left empty or 0, off.',
      place: { byte: 2 },
      default: 0,
      onlyWhen: inThresholdMode,
      min: 0,
      max: 255,
      unit: '°C',
    }),
    number({
      id: 1905,
      key: 'upper_threshold',
      label: 'Upper threshold',
      description: 'An event when the temperature rises above it. Left empty, 1600 °C: no event.',
      place: { byte: 3, length: 2, coding: 'signed' },
      default: highest,
      onlyWhen: inThresholdMode,
      min: lowest,
      max: highest,
      unit: '°C',
      scale: 16,
    }),
    number({
      id: 1906,
      key: 'lower_threshold',
      label: 'Lower threshold',
      description: 'An event when the temperature falls below it. Left empty, -250 °C: no event.',
      place: { byte: 5, length: 2, coding: 'signed' },
      default: lowest,
      onlyWhen: inThresholdMode,
      min: lowest,
      max: highest,
      unit: '°C',
      scale: 16,
    }),
    number({
      id: 1907,
      key: 'increase',
      label: 'Increase',
      description: 'An event when the temperature has risen by this. Left empty or 0, off.',
      place: { byte: 3, length: 2, coding: 'signed' },
      default: 0,
      onlyWhen: inChangeMode,
      min: 0,
      max: highest - lowest,
      unit: '°C',
      scale: 16,
    }),
    number({
      id: 1908,
      key: 'decrease',
      label: 'Decrease',
      description: 'An event when the temperature has fallen by this. Left empty or 0, off.',
      place: { byte: 5, length: 2, coding: 'signed' },
      default: 0,
      onlyWhen: inChangeMode,
      min: 0,
      max: highest - lowest,
      unit: '°C',
      scale: 16,
    }),
  ],
  ordered: [['lower_threshold', 'upper_threshold']],
}
