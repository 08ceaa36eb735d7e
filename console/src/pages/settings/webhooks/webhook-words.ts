import type { Answer } from '../../../api/client.ts'
import { t } from '../../../languages/text.ts'
import type { StateKind } from '../../../ui/state.tsx'

export type Webhook = Answer<'GET /webhooks'>['data'][number]
export type EventKind = Webhook['events'][number]

/** The kinds of events, as people choose them. */
export const eventChoices: readonly { value: EventKind; label: string; what: string }[] = [
  { value: 'uplink', label: t('Uplinks'), what: t('Every message of a device, decoded.') },
  { value: 'join', label: t('Joins'), what: t('A device has joined its network.') },
  {
    value: 'downlink',
    label: t('Downlinks'),
    what: t('Queued, sent, acknowledged, failed, cancelled.'),
  },
  {
    value: 'device_state',
    label: t('Device states'),
    what: t('Battery and margin, as networks report.'),
  },
  { value: 'registration', label: t('Registrations'), what: t('Registered, refused or deleted.') },
  { value: 'alert', label: t('Alerts'), what: t('An alert opens or closes.') },
  { value: 'audit', label: t('Audit'), what: t('Who changed what, and what was refused.') },
]

export function nameEvents(events: readonly EventKind[]): string {
  return eventChoices
    .filter(({ value }) => events.includes(value))
    .map(({ label }) => label)
    .join(', ')
}

const eventNames: Record<EventKind | 'test', string> = {
  uplink: t('uplink'),
  join: t('join'),
  downlink: t('downlink'),
  device_state: t('device state'),
  registration: t('registration'),
  alert: t('alert'),
  audit: t('audit'),
  test: t('test'),
}

/** "uplink of Cold room", of an event that was sent or waits. */
export function eventWords(event: { type: string; device_name: string | null }): string {
  const words = eventNames[event.type as EventKind] ?? event.type
  return event.device_name === null
    ? words
    : t('{words} of {devicename}', { words, devicename: event.device_name })
}

const stateWords: Record<Webhook['health']['state'], readonly [StateKind, string]> = {
  healthy: ['good', t('Healthy')],
  failing: ['warn', t('Failing')],
  paused: ['off', t('Paused')],
  disabled: ['bad', t('Disabled')],
}

export function stateOf({ health }: Webhook): readonly [StateKind, string] {
  if (health.state === 'healthy' && health.last_success_at === null)
    return ['off', t('Nothing sent')]
  return stateWords[health.state]
}

/** "12 events wait, 3 dead letters". */
export function waitingWords({ health }: Webhook): string {
  const { waiting, dead_letters: dead, replaying } = health
  const words = [
    waiting > 0
      ? `${t('{waiting, plural, one {# event waits} other {# events wait}}', { waiting })}`
      : '',
    replaying > 0
      ? t('{replaying, plural, one {# uplink} other {# uplinks}} to replay', { replaying })
      : '',
    dead > 0 ? t('{dead, plural, one {# dead letter} other {# dead letters}}', { dead }) : '',
  ].filter((word) => word !== '')
  return words.join(', ') || t('Queue is empty')
}

/** What a receiver said: a status of HTTP, or a reason code of MQTT. */
export function nameStatus({ mqtt }: Webhook, status: number | null): string {
  if (status === null) return t('No answer')
  if (!mqtt) return t('Status {status}', { status })
  return status === 0 ? t('Acknowledged') : t('Reason {status}', { status })
}

/** What a change of a webhook makes old. */
export const webhookReads = [
  'GET /webhooks',
  'GET /webhooks/{webhook_id}',
  'GET /webhooks/{webhook_id}/deliveries',
  'GET /webhooks/{webhook_id}/waiting',
] as const

/** Milliseconds between two looks at how webhooks do. */
export const lookInterval = 5_000
