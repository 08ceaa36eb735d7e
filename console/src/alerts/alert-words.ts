import type { Answer } from '../api/client.ts'
import { formatLimit, formatMeasured, formatTime } from '../ui/formats.ts'
import { formatCount } from '../ui/numbers.ts'
import type { StateKind } from '../ui/state.tsx'

export type Alert = Answer<'GET /alerts'>['data'][number]
export type AlertKind = Alert['kind']

export const alertKindNames: Record<AlertKind, string> = {
  device_silent: 'Silent device',
  gateway_silent: 'Silent gateway',
  low_battery: 'Low battery',
  tamper: 'Tampering',
  threshold: 'Threshold',
  registration_error: 'Registration error',
}

export function alertState({ state, acknowledged_at }: Alert): readonly [StateKind, string] {
  if (state === 'closed') return ['off', 'Over']
  return acknowledged_at === null ? ['bad', 'Open'] : ['warn', 'Acknowledged']
}

const severities: Record<AlertKind, StateKind> = {
  tamper: 'bad',
  threshold: 'bad',
  registration_error: 'bad',
  gateway_silent: 'warn',
  device_silent: 'warn',
  low_battery: 'warn',
}

/** How bad it is. */
export function alertSeverity({ kind }: Alert): StateKind {
  return severities[kind]
}

/** What is wrong, in a few words. */
export function factsOf(alert: Alert): string {
  const { kind, key, label, unit, value, bound, message, empty_at, cause } = alert
  switch (kind) {
    case 'device_silent':
    case 'gateway_silent':
      return [
        bound === null ? '' : `Silent for more than ${lengthOf(bound)}`,
        cause ? `behind gateway ${cause.name}` : '',
      ]
        .filter(Boolean)
        .join(', ')
    case 'low_battery':
      return [
        `Battery ${measured(value, unit)}`,
        empty_at === null
          ? ''
          : `empty about ${formatTime(new Date(empty_at), { date: 'full' }, 'UTC')}`,
      ]
        .filter(Boolean)
        .join(', ')
    case 'threshold':
      return `${label ?? key ?? 'Value'} ${measured(value, unit)}, limit ${bound === null ? '–' : formatLimit(bound, unit)}`
    case 'registration_error':
      return `Registration refused: ${message ?? 'no reason was given'}`
    default:
      return 'The case is open'
  }
}

function measured(value: number | null, unit: string | null): string {
  return value === null ? '–' : formatMeasured(value, unit)
}

const units = [
  [86_400, 'days'],
  [3600, 'hours'],
  [60, 'minutes'],
] as const

/** "3 hours", from seconds. */
function lengthOf(seconds: number): string {
  const [size, unit] = units.find(([least]) => seconds >= 2 * least) ?? units[2]
  return `${formatCount(seconds / size)} ${unit}`
}

/** What acknowledging and muting make old. */
export const alertReads = [
  'GET /alerts',
  'GET /alert-rules',
  'GET /devices/{device_id}/alerts',
] as const

/** For how long something is muted: hours by their names. */
export const muteChoices = [
  { hours: 1, label: 'For an hour' },
  { hours: 12, label: 'For 12 hours' },
  { hours: 24 * 7, label: 'For a week' },
] as const

export function muteUntil(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString()
}
