import { z } from 'zod'
import type { Caller } from '../../../http/endpoint.ts'
import { type HttpError, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { pathId } from '../../../http/fields.ts'
import { isoTime, type Moment } from '../../../http/timestamps.ts'
import { mqttRecord, usualPrefix } from './mqtt-settings.ts'
import { webhookEvents } from './webhook-kinds.ts'
import type { ListedWebhook } from './webhook-queries.ts'

const healthStates = ['healthy', 'failing', 'paused', 'disabled'] as const

const health = z.object(
  withExamples(
    {
      state: z
        .enum(healthStates)
        .describe(
          '`failing` since the last attempt failed; `disabled` after a day of failures, or when the receiver answered 410.',
        ),
      message: z.string().nullable().describe('Why it is failing or disabled.'),
      last_success_at: z.string().nullable(),
      last_failure_at: z.string().nullable(),
      failures: z.int().describe('Failed attempts since the last success.'),
      next_attempt_at: z.string().nullable().describe('Nothing is sent before.'),
      waiting: z
        .int()
        .describe('Events that are not delivered yet; uplinks before the filters are looked at.'),
      oldest_waiting_at: z.string().nullable(),
      dead_letters: z.int().describe('Events that were tried for a day.'),
      replaying: z.int().describe('Uplinks that a replay has still to send.'),
    },
    {
      state: 'healthy',
      message: null,
      last_success_at: '2026-03-01T11:59:08.000000Z',
      last_failure_at: null,
      failures: 0,
      next_attempt_at: null,
      waiting: 0,
      oldest_waiting_at: null,
      dead_letters: 0,
      replaying: 0,
    },
  ),
)

const fields = withExamples(
  {
    id: z.int(),
    name: z.string(),
    url: z
      .string()
      .describe('The part before the path for members without the permission `manage_account`.'),
    events: z.array(z.enum(webhookEvents)),
    group: z.int().nullable().describe('Devices in this group and in the groups below it.'),
    type: z.int().nullable().describe('Devices of this device type.'),
    network: z.string().nullable().describe('Devices at the network with this key.'),
    tag: z.string().nullable().describe('Devices with this tag.'),
    mqtt: mqttRecord.describe('Null where the address is no broker.'),
    former_secret_until: z
      .string()
      .nullable()
      .describe('Until then, messages are signed with the secret before the last rotation too.'),
    created_at: z.string(),
    updated_at: z.string(),
  },
  {
    id: 3,
    name: 'Building control',
    url: 'https://hooks.example.test/lora',
    events: ['uplink', 'join'],
    group: null,
    type: null,
    network: null,
    tag: null,
    mqtt: null,
    former_secret_until: null,
    created_at: '2026-03-01T12:00:00.000000Z',
    updated_at: '2026-03-01T12:00:00.000000Z',
  },
)

export const webhookRecord = z.object({ ...fields, health }).meta({ id: 'Webhook' })

export const webhookAnswer = z.object({ data: webhookRecord })

/** The secret is shown once. */
export const webhookWithSecret = z.object({
  data: webhookRecord.extend({
    secret: z
      .string()
      .describe('Shown in this answer only. Keep it where the receiver finds it.')
      .meta({ examples: ['whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='] }),
  }),
})

export function toWebhookRecord(
  webhook: ListedWebhook,
  caller: Pick<Caller, 'permissions'>,
  now: Date,
): z.infer<typeof webhookRecord> {
  const { former_until } = webhook
  const mayManage = caller.permissions.includes('manage_account')
  const isFormerValid = former_until !== null && Date.parse(former_until) > now.getTime()
  return {
    id: webhook.id,
    name: webhook.name,
    url: mayManage ? webhook.url : beginningOf(webhook.url),
    events: webhook.events,
    group: webhook.group_id,
    type: webhook.type_id,
    network: webhook.network,
    tag: webhook.tag,
    mqtt: webhook.mqtt && {
      ...withoutDiscovery,
      ...webhook.mqtt,
      ...(mayManage ? {} : hiddenLogin),
    },
    former_secret_until: isFormerValid ? timeOrNull(former_until) : null,
    created_at: isoTime(webhook.created_at),
    updated_at: isoTime(webhook.updated_at),
    health: toHealth(webhook),
  }
}

/** In webhooks of earlier releases. */
const withoutDiscovery = { discovery: false, discovery_prefix: usualPrefix }

/** What members without the permission `manage_account` do not see. */
const hiddenLogin = { username: null, ca_certificate: null, client_certificate: null }

/** The part before the path. Brokers have no `origin` in Node. */
function beginningOf(address: string): string {
  const { protocol, host } = new URL(address)
  return `${protocol}//${host}`
}

function toHealth(webhook: ListedWebhook): z.infer<typeof health> {
  const { state, failures, replay_ordinal, replay_until } = webhook
  const isFailing = failures > 0
  return {
    state: state === 'active' ? (isFailing ? 'failing' : 'healthy') : state,
    message: webhook.state_message ?? (isFailing ? webhook.last_failure : null),
    last_success_at: timeOrNull(webhook.last_success_at),
    last_failure_at: timeOrNull(webhook.last_failure_at),
    failures,
    next_attempt_at: timeOrNull(webhook.next_attempt_at),
    waiting: webhook.waiting,
    oldest_waiting_at: timeOrNull(webhook.oldest_waiting_at),
    dead_letters: webhook.dead,
    replaying: Math.max(0, (replay_until ?? 0) - (replay_ordinal ?? 0)),
  }
}

export function timeOrNull(moment: Moment | null): string | null {
  return moment === null ? null : isoTime(moment)
}

export const webhookPath = z.object({ webhook_id: pathId('3') })

export function webhookNotFound(): HttpError {
  return notFound('Webhook not found')
}
