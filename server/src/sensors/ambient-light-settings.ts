import { periodicReportField } from './periods.ts'
import { inChangeMode, inThresholdMode, modeField, number } from './setting-fields.ts'
import type { Section } from './settings.ts'

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
export const ambientLightSettings: Section = {
  name: 'sensor',
  label: 'Sensor',
  command: 0x0b,
  fields: [
    modeField(1101),
    periodicReportField(1102),
    number({
      id: 1103,
      key: 'restoral_margin',
      label: 'Restoral margin',
      description:
        'How far the light must come back past a threshold before the next event. Left empty or 0, off.',
      place: { byte: 2, bits: { lowest: 0, count: 4 } },
      default: 0,
      onlyWhen: inThresholdMode,
      min: 0,
      max: 15,
      unit: '',
    }),
    number({
      id: 1104,
      key: 'lower_threshold',
      label: 'Lower threshold',
      description: 'An event when the light falls below it. Left empty, 0: no event.',
      place: { byte: 3 },
      default: 0,
      onlyWhen: inThresholdMode,
      min: 0,
      max: 255,
      unit: '',
    }),
    number({
      id: 1105,
      key: 'upper_threshold',
      label: 'Upper threshold',
      description: 'An event when the light rises above it. Left empty, 255: no event.',
      place: { byte: 4 },
      default: 255,
      onlyWhen: inThresholdMode,
      min: 0,
      max: 255,
      unit: '',
    }),
    number({
      id: 1106,
      key: 'increase',
      label: 'Increase',
      description: 'An event when the light has risen by this. Left empty or 0, off.',
      place: { byte: 3 },
      default: 0,
      onlyWhen: inChangeMode,
      min: 0,
      max: 255,
      unit: '',
    }),
    number({
      id: 1107,
      key: 'decrease',
      label: 'Decrease',
      description: 'An event when the light has fallen by this. Left empty or 0, off.',
      place: { byte: 4 },
      default: 0,
      onlyWhen: inChangeMode,
      min: 0,
      max: 255,
      unit: '',
    }),
  ],
  ordered: [['lower_threshold', 'upper_threshold']],
}
