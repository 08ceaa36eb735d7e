import { periodicReportField } from './periods.ts'
import { inChangeMode, inThresholdMode, modeField, number } from './setting-fields.ts'
import type { Section } from './settings.ts'

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

export const voltageSettings: Section = {
  name: 'sensor',
  label: 'Sensor',
  command: 0x14,
  fields: [
    modeField(2001),
    periodicReportField(2002),
    number({
      id: 2003,
      key: 'restoral_margin',
      label: 'Restoral margin',
      description:
        'How far the voltage must come back past a threshold before the next event. Left empty, 0.1 V.',
      place: { byte: 2 },
      default: 0.1,
      onlyWhen: inThresholdMode,
      min: 0,
      max: 2.55,
      unit: 'V',
      scale: 100,
      isInferred: true,
      note: 'Sources differ on the unit of this margin: 10 mV, taken here, or 1 mV.',
    }),
    number({
      id: 2004,
      key: 'lower_threshold',
      label: 'Lower threshold',
      description: 'An event when the voltage falls below it. Left empty, 10 V.',
      place: { byte: 3, length: 2 },
      default: 10,
      onlyWhen: inThresholdMode,
      min: 0,
      max: highest,
      unit: 'V',
      scale: 100,
    }),
    number({
      id: 2005,
      key: 'upper_threshold',
      label: 'Upper threshold',
      description: 'An event when the voltage rises above it. Left empty, 12 V.',
      place: { byte: 5, length: 2 },
      default: 12,
      onlyWhen: inThresholdMode,
      min: 0,
      max: highest,
      unit: 'V',
      scale: 100,
    }),
    number({
      id: 2006,
      key: 'increase',
      label: 'Increase',
      description: 'An event when the voltage has risen by this. Left empty or 0, off.',
      place: { byte: 3, length: 2 },
      default: 0,
      onlyWhen: inChangeMode,
      min: 0,
      max: highest,
      unit: 'V',
      scale: 100,
    }),
    number({
      id: 2007,
      key: 'decrease',
      label: 'Decrease',
      description: 'An event when the voltage has fallen by this. Left empty or 0, off.',
      place: { byte: 5, length: 2 },
      default: 0,
      onlyWhen: inChangeMode,
      min: 0,
      max: highest,
      unit: 'V',
      scale: 100,
    }),
  ],
  ordered: [['lower_threshold', 'upper_threshold']],
}
