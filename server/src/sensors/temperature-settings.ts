import { periodicReportField } from './periods.ts'
import { inChangeMode, inThresholdMode, modeField, number } from './setting-fields.ts'
import type { Section } from './settings.ts'

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
const lowest = -40
const highest = 100

export const temperatureSettings: Section = {
  name: 'sensor',
  label: 'Sensor',
  command: 0x09,
  fields: [
    modeField(901),
    periodicReportField(902),
    number({
      id: 903,
      key: 'restoral_margin',
      label: 'Restoral margin',
      description:
        'How far the temperature must come back past a threshold before the next event. Left empty, 5 °C.',
      place: { byte: 2, bits: { lowest: 0, count: 4 } },
      default: 5,
      onlyWhen: inThresholdMode,
      min: 0,
      max: 15,
      unit: '°C',
    }),
    number({
      id: 904,
      key: 'lower_threshold',
      label: 'Lower threshold',
      description: 'An event when the temperature falls below it. Left empty, 10 °C.',
      place: { byte: 3, coding: 'signed' },
      default: 10,
      onlyWhen: inThresholdMode,
      min: lowest,
      max: highest,
      unit: '°C',
    }),
    number({
      id: 905,
      key: 'upper_threshold',
      label: 'Upper threshold',
      description: 'An event when the temperature rises above it. Left empty, 90 °C.',
      place: { byte: 4, coding: 'signed' },
      default: 90,
      onlyWhen: inThresholdMode,
      min: lowest,
      max: highest,
      unit: '°C',
    }),
    number({
      id: 906,
      key: 'increase',
      label: 'Increase',
      description: 'An event when the temperature has risen by this. Left empty or 0, off.',
      place: { byte: 3 },
      default: 0,
      onlyWhen: inChangeMode,
      min: 0,
      max: 255,
      unit: '°C',
    }),
    number({
      id: 907,
      key: 'decrease',
      label: 'Decrease',
      description: 'An event when the temperature has fallen by this. Left empty or 0, off.',
      place: { byte: 4 },
      default: 0,
      onlyWhen: inChangeMode,
      min: 0,
      max: 255,
      unit: '°C',
    }),
  ],
  ordered: [['lower_threshold', 'upper_threshold']],
}
