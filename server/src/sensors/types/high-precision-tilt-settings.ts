import { inChangeMode, inThresholdMode, modeField, number } from '../settings/fields.ts'
import { periodicReportField } from '../settings/periods.ts'
import type { Section } from '../settings/section.ts'

/*
 * | byte | thresholds                                    | report on change                      |
 * |------|-----------------------------------------------|---------------------------------------|
 * | 0    | 0                                             | 1                                     |
 * | 1    | period                                        | period                                |
 * | 2    | hold time in 250 ms                           | hold time in 250 ms                   |
 * | 3-4  | angle toward vertical, whole and tenths       | change toward vertical; 0 off         |
 * | 5-6  | angle away from vertical, whole and tenths    | change away from vertical; 0 off      |
 *
 * Source: RBS306-TILT-HP manual (manualshive 777780 p. 10, 3287106 p. 11). How bytes 3 to 6 hold the
 * angles is inferred from the angle of the uplink. The default angles are the manual's example, and
 * their range is what the sensor can report (support.radiobridge.com has 96.1 degrees).
 */
const widest = 180

export const highPrecisionTiltSettings: Section = {
  name: 'sensor',
  label: 'Sensor',
  command: 0x0f,
  fields: [
    modeField(1501),
    periodicReportField(1502),
    number({
      id: 1503,
      key: 'hold_time',
      label: 'Hold time',
      description:
        'How long the angle must stay past a limit before the event. Left empty or 0, at once.',
      place: { byte: 2 },
      default: 0,
      min: 0,
      max: 255 / 4,
      unit: 's',
      scale: 4,
    }),
    number({
      id: 1504,
      key: 'toward_threshold',
      label: 'Threshold toward vertical',
      description: 'An event when the angle falls below it. Left empty, 35 degrees.',
      place: { byte: 3, length: 2, coding: 'tenths' },
      default: 35,
      onlyWhen: inThresholdMode,
      min: 0,
      max: widest,
      unit: 'degrees',
      scale: 10,
      isInferred: true,
    }),
    number({
      id: 1505,
      key: 'away_threshold',
      label: 'Threshold away from vertical',
      description: 'An event when the angle rises above it. Left empty, 55 degrees.',
      place: { byte: 5, length: 2, coding: 'tenths' },
      default: 55,
      onlyWhen: inThresholdMode,
      min: 0,
      max: widest,
      unit: 'degrees',
      scale: 10,
      isInferred: true,
    }),
    number({
      id: 1506,
      key: 'toward_change',
      label: 'Change toward vertical',
      description: 'An event when the angle has fallen by this. Left empty or 0, off.',
      place: { byte: 3, length: 2, coding: 'tenths' },
      default: 0,
      onlyWhen: inChangeMode,
      min: 0,
      max: widest,
      unit: 'degrees',
      scale: 10,
      isInferred: true,
    }),
    number({
      id: 1507,
      key: 'away_change',
      label: 'Change away from vertical',
      description: 'An event when the angle has risen by this. Left empty or 0, off.',
      place: { byte: 5, length: 2, coding: 'tenths' },
      default: 0,
      onlyWhen: inChangeMode,
      min: 0,
      max: widest,
      unit: 'degrees',
      scale: 10,
      isInferred: true,
    }),
  ],
  ordered: [['toward_threshold', 'away_threshold']],
}
