import type { Answer } from '../../../api/client.ts'
import { countOf } from '../../../ui/numbers.ts'
import type { StateKind } from '../../../ui/state.tsx'

export type Webhook = Answer<'GET /webhooks'>['data'][number]
export type EventKind = Webhook['events'][number]

/** The kinds of events, as people choose them. */
export const eventChoices: readonly { value: EventKind; label: string; what: string }[] = [
  { value: 'uplink', label: 'Uplinks', what: 'Every message of a device, decoded.' },
  { value: 'join', label: 'Joins', what: 'A device has joined its network.' },
  { value: 'downlink', label: 'Downlinks', what: 'Queued, sent, acknowledged, failed, cancelled.' },
  {
    value: 'device_state',
    label: 'Device states',
    what: 'Battery and margin, as networks report.',
  },
  { value: 'registration', label: 'Registrations', what: 'Registered, refused or deleted.' },
  { value: 'alert', label: 'Alerts', what: 'An alert opens or closes.' },
  { value: 'audit', label: 'Audit', what: 'Who changed what, and what was refused.' },
]

export function nameEvents(events: readonly EventKind[]): string {
  return eventChoices
    .filter(({ value }) => events.includes(value))
    .map(({ label }) => label)
    .join(', ')
}

const stateWords: Record<Webhook['health']['state'], readonly [StateKind, string]> = {
  healthy: ['good', 'Healthy'],
  failing: ['warn', 'Failing'],
  paused: ['off', 'Paused'],
  disabled: ['bad', 'Disabled'],
}

export function stateOf({ health }: Webhook): readonly [StateKind, string] {
  if (health.state === 'healthy' && health.last_success_at === null) return ['off', 'Nothing sent']
  return stateWords[health.state]
}

/** "12 events wait, 3 dead letters". */
export function waitingWords({ health }: Webhook): string {
  const { waiting, dead_letters: dead, replaying } = health
  const words = [
    waiting > 0 ? `${countOf(waiting, 'event waits', 'events wait')}` : '',
    replaying > 0 ? `${countOf(replaying, 'uplink')} to replay` : '',
    dead > 0 ? countOf(dead, 'dead letter') : '',
  ].filter((word) => word !== '')
  return words.join(', ') || 'Queue is empty'
}

/** What a receiver said: a status of HTTP, or a reason code of MQTT. */
export function nameStatus({ mqtt }: Webhook, status: number | null): string {
  if (status === null) return 'No answer'
  if (!mqtt) return `Status ${status}`
  return status === 0 ? 'Acknowledged' : `Reason ${status}`
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
