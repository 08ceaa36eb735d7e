import type { AlertKind, Severity } from '../../alerts/alert-words.ts'
import type { Answer } from '../../api/client.ts'
import { t } from '../../languages/text.ts'
import { durationWords } from '../../ui/duration-input.tsx'
import { formatLimit, formatValue } from '../../ui/formats.ts'

export type AlertRule = Answer<'GET /alert-rules'>['data'][number]

/** A number of a rule's settings, as the form shows it. */
export interface SettingField {
  name: string
  label: string
  /** `duration` is in minutes; `measured` has the unit of the measurement, `span` is a difference of two. */
  unit?: 'V' | '%' | 'days' | 'duration' | 'measured' | 'span'
  description?: string
  /** What a new rule begins with; nothing if the member has to choose. */
  usual?: number
  min?: number
  step?: number
}

const silence = (missed: number, least: number, most?: number): readonly SettingField[] => [
  {
    name: 'missed',
    label: t('Missed messages'),
    description: t('How many of its usual intervals may pass without a message.'),
    usual: missed,
    min: 2,
  },
  { name: 'at_least_minutes', label: t('At least'), unit: 'duration', usual: least, min: 5 },
  {
    name: 'at_most_minutes',
    label: t('At most'),
    unit: 'duration',
    min: 5,
    ...(most === undefined
      ? {
          description: t(
            'Empty: its own interval decides, or what the settings of the organization say where that is not known.',
          ),
        }
      : { usual: most }),
  },
]

export const settingFields: Record<AlertKind, readonly SettingField[]> = {
  device_silent: silence(3, 60),
  gateway_silent: silence(10, 15, 1440),
  gateway_uptime: [
    {
      name: 'percent',
      label: t('Uptime below'),
      unit: '%',
      description: t('99 % of 7 days is 1 hour and 41 minutes offline.'),
      usual: 99,
      min: 1,
    },
    { name: 'days', label: t('In the last'), unit: 'days', usual: 7, min: 1 },
  ],
  low_battery: [
    { name: 'volts', label: t('At or below'), unit: 'V', usual: 2.8, min: 1, step: 0.1 },
    {
      name: 'percent',
      label: t('Or at or below'),
      unit: '%',
      description: t('For sensors that send their battery in percent.'),
      usual: 15,
      min: 1,
    },
    {
      name: 'days',
      label: t('Or empty within'),
      unit: 'days',
      description: t('Estimated from its battery readings.'),
      usual: 60,
      min: 0,
    },
  ],
  tamper: [],
  threshold: [
    { name: 'above', label: t('Above'), unit: 'measured' },
    { name: 'below', label: t('Below'), unit: 'measured' },
    {
      name: 'margin',
      label: t('Margin'),
      unit: 'span',
      description: t('The alert ends when the value is back within the limit by this much.'),
      usual: 0,
      min: 0,
    },
    { name: 'minutes', label: t('For at least'), unit: 'duration', usual: 0, min: 0 },
  ],
  condition: [{ name: 'minutes', label: t('For at least'), unit: 'duration', usual: 0, min: 0 }],
  registration_error: [],
}

/** What a new rule begins with. */
export const usualSeverity: Record<AlertKind, Severity> = {
  device_silent: 'warning',
  gateway_silent: 'critical',
  gateway_uptime: 'warning',
  low_battery: 'warning',
  tamper: 'critical',
  threshold: 'critical',
  condition: 'critical',
  registration_error: 'warning',
}

/** Measurements that most sensors send, with their units; any other name may be typed. */
export const commonKeys: Record<string, string> = {
  temperature: '°C',
  humidity: '%',
  battery: 'V',
  distance: 'mm',
  pressure: 'hPa',
  current: 'mA',
  voltage: 'V',
  angle: '°',
}

/** The first id of a type that an organization has made. */
const firstOwnType = 100_000

/** The base unit of a measurement. Sensors of an own type may send any other. */
export function unitOfKey(key: unknown, type: unknown): string | undefined {
  return Number(type) >= firstOwnType ? undefined : commonKeys[String(key ?? '')]
}

/** What a rule looks for, beside its kind; empty for what is usual. */
export function limitWords({ kind, settings, type }: AlertRule): string {
  const { key, above, below, minutes, volts, percent, at_most_minutes: most } = settings
  const unit = unitOfKey(key, type) ?? null
  if (kind === 'threshold') {
    const bounds = [
      ...(typeof above === 'number'
        ? [t('above {limit}', { limit: formatLimit(above, unit) })]
        : []),
      ...(typeof below === 'number'
        ? [t('below {limit}', { limit: formatLimit(below, unit) })]
        : []),
    ]
    const [one = '', other] = bounds
    const bound = other === undefined ? one : t('{one} or {other}', { one, other })
    const condition = `${key} ${bound}`
    return Number(minutes) > 0
      ? t('{condition} for {time}', { condition, time: durationWords(Number(minutes)) })
      : condition
  }
  if (kind === 'gateway_uptime') {
    return t('Below {percent} of {days, plural, one {# day} other {# days}}', {
      percent: formatValue(Number(percent), '%'),
      days: Number(settings.days),
    })
  }
  if (kind === 'low_battery') {
    return t('At or below {volts} or {percent}', {
      volts: formatValue(Number(volts), 'V'),
      percent: formatValue(Number(percent), '%'),
    })
  }
  return typeof most === 'number' ? t('After {most} at most', { most: durationWords(most) }) : ''
}
