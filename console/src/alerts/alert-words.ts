import type { Answer } from '../api/client.ts'
import { t } from '../languages/text.ts'
import { formatLimit, formatMeasured, formatTime } from '../ui/formats.ts'
import type { StateKind } from '../ui/state.tsx'

export type Alert = Answer<'GET /alerts'>['data'][number]
export type AlertKind = Alert['kind']

export const alertKindNames: Record<AlertKind, string> = {
  device_silent: t('Silent device'),
  gateway_silent: t('Silent gateway'),
  gateway_uptime: t('Gateway uptime'),
  low_battery: t('Low battery'),
  tamper: t('Tampering'),
  threshold: t('Threshold'),
  condition: t('Conditions'),
  registration_error: t('Registration error'),
}

/** What looks only at gateways. */
export const gatewayKinds: readonly AlertKind[] = ['gateway_silent', 'gateway_uptime']

export type Severity = Alert['severity']

/** The worst first. */
export const severityNames: Record<Severity, string> = {
  critical: t('Critical'),
  warning: t('Warning'),
  info: t('Info'),
}

const severityStates: Record<Severity, StateKind> = {
  critical: 'bad',
  warning: 'warn',
  info: 'off',
}

/** How bad it is. */
export function alertSeverity({ severity }: Alert): StateKind {
  return severityStates[severity]
}

export function alertState(alert: Alert): readonly [StateKind, string] {
  if (alert.state === 'closed') return ['off', alert.closed_by ? t('Closed') : t('Over')]
  if (alert.snoozed_until !== null) return ['waiting', t('Snoozed')]
  return [alertSeverity(alert), severityNames[alert.severity]]
}

/** Who looks after it; empty for nobody. */
export function handlerOf({ assigned_to, acknowledged_by }: Alert): string {
  if (assigned_to) return t('Assigned to {name}', { name: assigned_to.name })
  return acknowledged_by ? t('Acknowledged by {name}', { name: acknowledged_by.name }) : ''
}

/** The groups of its device; empty for none. */
export function placeOf({ groups }: Alert): string {
  return groups.map(({ name }) => name).join(', ')
}

export function nameOfSubject({ device, gateway }: Alert): string {
  const subject = device ?? gateway
  return subject?.name || subject?.eui || ''
}

/** What is wrong, in a few words. */
export function factsOf(alert: Alert): string {
  const { kind, key, label, unit, value, bound, message, empty_at, cause } = alert
  switch (kind) {
    case 'device_silent':
    case 'gateway_silent':
      return [
        bound === null ? '' : t('Silent for more than {bound}', { bound: lengthOf(bound) }),
        cause ? t('behind gateway {name}', { name: cause.name }) : '',
      ]
        .filter(Boolean)
        .join(', ')
    case 'low_battery':
      return [
        t('Battery {value}', { value: measured(value, unit) }),
        empty_at === null
          ? ''
          : t('empty about {time}', {
              time: formatTime(new Date(empty_at), { date: 'full' }, 'UTC'),
            }),
      ]
        .filter(Boolean)
        .join(', ')
    case 'gateway_uptime':
    case 'threshold':
      return t('{label} {value}, limit {bound}', {
        label: label ?? key ?? t('Value'),
        value: measured(value, unit),
        bound: bound === null ? '–' : formatLimit(bound, unit),
      })
    case 'condition':
      return message ?? t('Its conditions are met')
    case 'registration_error':
      return t('Registration refused: {message}', { message: message ?? t('no reason was given') })
    default:
      return t('The case is open')
  }
}

const actionNames = { downlink: t('Downlink'), webhook: t('Webhook') }
const actionStates = {
  done: t('queued'),
  limited: t('not sent: the limit of the hour'),
  failed: t('failed'),
}

/** What its rule has done about it: "Downlink queued, Webhook failed: The webhook is gone."; empty for nothing. */
export function doneWords({ actions }: Alert): string {
  return actions
    .map(({ type, state, message }) =>
      [`${actionNames[type]} ${actionStates[state]}`, ...(message ? [message] : [])].join(': '),
    )
    .join(', ')
}

function measured(value: number | null, unit: string | null): string {
  return value === null ? '–' : formatMeasured(value, unit)
}

/** "3 hours", from seconds. */
function lengthOf(seconds: number): string {
  if (seconds >= 2 * 86_400) {
    const count = Math.round(seconds / 86_400)
    return t('{count, plural, one {# day} other {# days}}', { count })
  }
  if (seconds >= 2 * 3600) {
    const count = Math.round(seconds / 3600)
    return t('{count, plural, one {# hour} other {# hours}}', { count })
  }
  const count = Math.round(seconds / 60)
  return t('{count, plural, one {# minute} other {# minutes}}', { count })
}

/** What acknowledging and muting make old. */
export const alertReads = [
  'GET /alerts',
  'GET /alerts/{alert_id}',
  'GET /alert-rules',
  'GET /alert-rules/suggestions',
  'GET /devices/{device_id}/alerts',
] as const

/** For how long something is muted: hours by their names. */
export const muteChoices = [
  { hours: 1, label: t('For an hour') },
  { hours: 12, label: t('For 12 hours') },
  { hours: 24 * 7, label: t('For a week') },
] as const

export function muteUntil(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString()
}
