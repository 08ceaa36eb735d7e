import type { AlertKind } from '../../alerts/alert-words.ts'
import type { Answer } from '../../api/client.ts'

export type AlertRule = Answer<'GET /alert-rules'>['data'][number]

/** A number of a rule's settings, as the form shows it. */
export interface SettingField {
  name: string
  label: string
  unit?: string
  description?: string
  /** What a new rule begins with; nothing if the member has to choose. */
  usual?: number
  min?: number
  step?: number
}

const silence = (missed: number, least: number, most?: number): readonly SettingField[] => [
  {
    name: 'missed',
    label: 'Missed messages',
    description: 'So many of its usual intervals without one.',
    usual: missed,
    min: 2,
  },
  { name: 'at_least_minutes', label: 'At least', unit: 'minutes', usual: least, min: 5 },
  {
    name: 'at_most_minutes',
    label: 'At most',
    unit: 'minutes',
    min: 5,
    ...(most === undefined
      ? { description: 'Empty: its own interval decides, or 48 hours where that is not known.' }
      : { usual: most }),
  },
]

export const settingFields: Record<AlertKind, readonly SettingField[]> = {
  device_silent: silence(3, 60),
  gateway_silent: silence(10, 15, 1440),
  low_battery: [
    { name: 'volts', label: 'At or below', unit: 'V', usual: 2.8, min: 1, step: 0.1 },
    {
      name: 'percent',
      label: 'Or at or below',
      unit: '%',
      description: 'For sensors that send their battery in percent.',
      usual: 15,
      min: 1,
    },
    {
      name: 'days',
      label: 'Or empty within',
      unit: 'days',
      description: 'By the trend of its readings.',
      usual: 60,
      min: 0,
    },
  ],
  tamper: [],
  threshold: [
    { name: 'above', label: 'Above' },
    { name: 'below', label: 'Below' },
    {
      name: 'margin',
      label: 'Margin',
      description: 'It is over when the value is back by so much.',
      usual: 0,
      min: 0,
    },
    { name: 'minutes', label: 'For at least', unit: 'minutes', usual: 0, min: 0 },
  ],
  registration_error: [],
}

/** Measurements that most sensors send, with their units; any other name may be typed. */
export const commonKeys: Record<string, string> = {
  temperature: '°C',
  humidity: '%',
  battery: 'V',
  distance: 'mm',
  pressure: 'Pa',
  current: 'mA',
  voltage: 'V',
  angle: '°',
}
