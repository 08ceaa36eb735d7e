import { isoTime, type Moment } from '../../../http/timestamps.ts'
import { writeTime } from '../../../lora/formats.ts'
import { writeLimit, writeMeasured } from '../../../lora/units.ts'
import type { AlertKind } from './alert-kinds.ts'
import type { ListedAlert } from './alert-queries.ts'
import { measurementOf } from './alert-record.ts'
import type { Reader } from './digest-queries.ts'

/** Alerts in the words of mails and other messages. */

/** What has begun, or what is over. */
export type Way = 'begun' | 'ended'

export const kindWords = {
  device_silent: ['device is silent', 'devices are silent'],
  gateway_silent: ['gateway is silent', 'gateways are silent'],
  gateway_uptime: ['gateway was offline too long', 'gateways were offline too long'],
  low_battery: ['battery is low', 'batteries are low'],
  tamper: ['device reports tampering', 'devices report tampering'],
  threshold: ['device is beyond its limit', 'devices are beyond their limit'],
  condition: ['device meets its conditions', 'devices meet their conditions'],
  registration_error: ['registration failed', 'registrations failed'],
} as const

/** What is wrong with one thing. */
export function singleWord(kind: AlertKind): string {
  return kindWords[kind][0].replace(/^\w+ /, '')
}

/** One line about an alert: what it is about, and what is wrong. */
export function describeAlert(alert: ListedAlert, way: Way, reader: Reader): string {
  const eui = alert.device_eui ?? alert.gateway_eui ?? ''
  const parts = [`${nameOf(alert)} (${eui})`, ...factsOf(alert, way, reader)]
  return parts.filter((part) => part !== '').join(', ')
}

function factsOf(alert: ListedAlert, way: Way, reader: Reader): string[] {
  const { formats } = reader
  const since = `since ${timeOf(alert.began_at, reader)}`
  const until = alert.closed_at === null ? '' : `until ${timeOf(alert.closed_at, reader)}`
  if (way === 'ended') return [since, until]
  // It began and ended within the minute that the digest gathers.
  const over = alert.state === 'closed' ? `already over, ${until}` : ''
  const { empty_at, message } = alert.details
  switch (alert.kind) {
    case 'low_battery':
      return [
        writeMeasured(alert.value ?? 0, { unit: measurementOf(alert)?.unit }, formats),
        empty_at ? `empty about ${dateOf(empty_at, reader)} by its trend` : '',
        over,
      ]
    case 'gateway_uptime':
    case 'threshold': {
      const { label = 'Value', unit } = measurementOf(alert) ?? {}
      return [
        `${label} ${writeMeasured(alert.value ?? 0, { unit }, formats)}`,
        `limit ${writeLimit(alert.bound ?? 0, unit, formats)}`,
        over,
      ]
    }
    case 'condition':
      return [plain(message ?? ''), since, over]
    case 'registration_error':
      return [plain(message ?? ''), over]
    case 'tamper':
      return [since, over]
    default:
      return [
        message ? plain(message) : `last heard ${timeOf(alert.began_at, reader)}`,
        message || alert.bound === null ? '' : `usually within ${lengthOf(alert.bound)}`,
        over,
      ]
  }
}

export function nameOf({ device_name, gateway_name }: ListedAlert): string {
  return plain(device_name ?? gateway_name ?? '')
}

/** Names come from members and networks: one line, and not endless. */
export function plain(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}

export function timeOf(moment: Moment, { timeZone, formats }: Reader): string {
  const parts = { date: 'full', clock: 'minutes', zone: true } as const
  return writeTime(new Date(isoTime(moment)), parts, timeZone, formats)
}

function dateOf(time: string, { timeZone, formats }: Reader): string {
  return writeTime(new Date(time), { date: 'full' }, timeZone, formats)
}

const units = [
  [86_400, 'days'],
  [3600, 'hours'],
  [60, 'minutes'],
] as const

function lengthOf(seconds: number): string {
  const [size, unit] = units.find(([least]) => seconds >= 2 * least) ?? [60, 'minutes']
  return `${Math.round(seconds / size)} ${unit}`
}
