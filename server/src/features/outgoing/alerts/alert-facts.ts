import { isoTime, type Moment } from '../../../http/timestamps.ts'
import { writeTime } from '../../../lora/formats.ts'
import { writeLimit, writeMeasured } from '../../../lora/units.ts'
import { type Say, sayIn, text } from '../../../texts/texts.ts'
import type { AlertKind } from './alert-kinds.ts'
import type { ListedAlert } from './alert-queries.ts'
import { measurementOf } from './alert-record.ts'
import type { Reader } from './digest-queries.ts'

/** Alerts in the words of mails and other messages. */

/** What has begun, or what is over. */
export type Way = 'begun' | 'ended'

/** What is wrong with so many things. */
export const countTexts: Record<AlertKind, string> = {
  device_silent: text('{count, plural, one {# device is silent} other {# devices are silent}}'),
  gateway_silent: text('{count, plural, one {# gateway is silent} other {# gateways are silent}}'),
  gateway_uptime: text(
    '{count, plural, one {# gateway was offline too long} other {# gateways were offline too long}}',
  ),
  low_battery: text('{count, plural, one {# battery is low} other {# batteries are low}}'),
  tamper: text(
    '{count, plural, one {# device reports tampering} other {# devices report tampering}}',
  ),
  threshold: text(
    '{count, plural, one {# device is beyond its limit} other {# devices are beyond their limit}}',
  ),
  condition: text(
    '{count, plural, one {# device meets its conditions} other {# devices meet their conditions}}',
  ),
  registration_error: text(
    '{count, plural, one {# registration failed} other {# registrations failed}}',
  ),
}

/** What is wrong with one thing, after its name. */
export const singleTexts: Record<AlertKind, string> = {
  device_silent: text('is silent'),
  gateway_silent: text('is silent'),
  gateway_uptime: text('was offline too long'),
  low_battery: text('is low'),
  tamper: text('reports tampering'),
  threshold: text('is beyond its limit'),
  condition: text('meets its conditions'),
  registration_error: text('failed'),
}

/** One line about an alert: what it is about, and what is wrong. */
export function describeAlert(alert: ListedAlert, way: Way, reader: Reader): string {
  const eui = alert.device_eui ?? alert.gateway_eui ?? ''
  const parts = [`${nameOf(alert)} (${eui})`, ...factsOf(alert, way, reader)]
  return parts.filter((part) => part !== '').join(', ')
}

function factsOf(alert: ListedAlert, way: Way, reader: Reader): string[] {
  const { formats } = reader
  const say = sayIn(formats)
  const since = say('since {time}', { time: timeOf(alert.began_at, reader) })
  const end = alert.closed_at === null ? '' : timeOf(alert.closed_at, reader)
  if (way === 'ended') return [since, end && say('until {time}', { time: end })]
  // It began and ended within the minute that the digest gathers.
  const over = alert.state === 'closed' ? say('already over, until {time}', { time: end }) : ''
  const { empty_at, message } = alert.details
  switch (alert.kind) {
    case 'low_battery':
      return [
        writeMeasured(alert.value ?? 0, { unit: measurementOf(alert)?.unit }, formats),
        empty_at ? say('empty about {date} by its trend', { date: dateOf(empty_at, reader) }) : '',
        over,
      ]
    case 'gateway_uptime':
    case 'threshold': {
      const { label = say('Value'), unit } = measurementOf(alert) ?? {}
      return [
        `${label} ${writeMeasured(alert.value ?? 0, { unit }, formats)}`,
        say('limit {value}', { value: writeLimit(alert.bound ?? 0, unit, formats) }),
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
        message
          ? plain(message)
          : say('last heard {time}', { time: timeOf(alert.began_at, reader) }),
        message || alert.bound === null
          ? ''
          : say('usually within {length}', { length: lengthOf(alert.bound, say) }),
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
  [86_400, text('{count, plural, one {# day} other {# days}}')],
  [3600, text('{count, plural, one {# hour} other {# hours}}')],
  [60, text('{count, plural, one {# minute} other {# minutes}}')],
] as const

function lengthOf(seconds: number, say: Say): string {
  const [size, unit] = units.find(([least]) => seconds >= 2 * least) ?? units[2]
  return say(unit, { count: Math.round(seconds / size) })
}
