import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import type { Sealer } from '../../../db/seal.ts'
import { type FieldErrors, invalid } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { largestInteger, optionalText, requiredText } from '../../../http/fields.ts'
import { findNetwork } from '../../../networks/index.ts'
import { hasPlainHost } from '../../../networks/mqtt/broker.ts'
import { NetworkError } from '../../../networks/network-error.ts'
import type { Outside } from '../../../networks/outside.ts'
import { deviceTypes } from '../../../sensors/index.ts'
import * as typeQueries from '../../fleet/device-types/device-type-queries.ts'
import * as groupQueries from '../../fleet/groups/group-queries.ts'
import { tagChoice } from '../../fleet/inventory/tags.ts'
import {
  findMqttFaults,
  isBrokerUrl,
  type MqttSecrets,
  mergeMqtt,
  mergeSecrets,
  mqttBody,
  noSecrets,
  openSecretsOf,
} from './mqtt-settings.ts'
import { webhookEvents } from './webhook-kinds.ts'
import type { StoredWebhook, WebhookValues } from './webhook-queries.ts'

const eventsMessage = `The events must be some of: ${webhookEvents.join(', ')}.`

function optionalId(label: string) {
  const error = `The ${label} must be an id, or null.`
  return z.int({ error }).min(1, error).max(largestInteger, error).nullish()
}

/** The fields of POST; PATCH takes any part of them. */
export const webhookFields = withExamples(
  {
    name: requiredText('name', 100),
    url: requiredText('url', 2000).describe(
      'A server (`https:`) or an MQTT broker (`mqtts:`, `wss:`). With TLS, unless the operator allows the address (`OUTBOUND_ALLOW`).',
    ),
    events: z
      .array(z.enum(webhookEvents, { error: eventsMessage }), { error: eventsMessage })
      .min(1, eventsMessage)
      .max(webhookEvents.length, eventsMessage),
    group: optionalId('group').describe('Only devices in this group and in the groups below it.'),
    type: optionalId('type').describe('Only devices of this device type.'),
    network: optionalText('network').describe('Only devices at the network with this key.'),
    tag: tagChoice
      .nullish()
      .describe('Only devices with all of these tags, such as `floor:2,critical`.'),
    mqtt: mqttBody.describe('How to publish, where `url` is a broker.'),
  },
  {
    name: 'Building control',
    url: 'https://hooks.example.test/lora',
    events: ['uplink', 'join'],
    group: null,
    type: null,
    network: null,
    tag: null,
    mqtt: null,
  },
)

const changes = z.object(webhookFields).partial()

type Changes = z.infer<typeof changes>

/** A webhook after a change, with the secrets of its login at a broker. */
export interface MergedWebhook {
  values: WebhookValues
  secrets: MqttSecrets
}

/** The values of a webhook after a change; those that are left out stay. */
export function mergeValues(
  sealer: Sealer,
  stored: StoredWebhook | undefined,
  body: Changes,
): MergedWebhook {
  const url = body.url ?? stored?.url ?? ''
  const known = stored ? openSecretsOf(sealer, stored) : noSecrets
  const isBroker = isBrokerUrl(url)
  const secrets = isBroker ? mergeSecrets(known, body.mqtt, url !== stored?.url) : noSecrets
  const mqtt = isBroker ? mergeMqtt(stored?.mqtt ?? null, body.mqtt, secrets) : null
  return { values: { ...mergeOthers(stored, body), url, mqtt }, secrets }
}

function mergeOthers(
  stored: WebhookValues | undefined,
  body: Changes,
): Omit<WebhookValues, 'url' | 'mqtt'> {
  const { group, type, network, tag } = body
  return {
    name: body.name ?? stored?.name ?? '',
    events: [...new Set(body.events ?? stored?.events ?? [])],
    group_id: group === undefined ? (stored?.group_id ?? null) : group,
    type_id: type === undefined ? (stored?.type_id ?? null) : type,
    network: network === undefined ? (stored?.network ?? null) : network || null,
    tag: tag === undefined ? (stored?.tag ?? null) : tag || null,
  }
}

/**
 * Looks only at what was sent, so that a webhook whose group was deleted can be renamed.
 *
 * @throws HttpError 422 with everything that is wrong.
 */
export async function checkValues(
  { db, outside }: { db: Queryable; outside: Outside },
  organizationId: number,
  body: Changes,
  { values, secrets }: MergedWebhook,
): Promise<void> {
  const errors: FieldErrors = values.mqtt ? findMqttFaults(values.mqtt, secrets) : {}
  if (values.mqtt?.discovery && !values.events.includes('uplink')) {
    errors['mqtt.discovery'] = ['Home Assistant discovery needs uplinks among the events.']
  }
  const fault = body.url === undefined ? undefined : findUrlFault(outside, body.url)
  if (fault) errors.url = [fault]
  if (body.mqtt && !values.mqtt) {
    errors.mqtt = [
      'The mqtt field is for the address of a broker, such as mqtts://broker.example.com.',
    ]
  }
  if (body.group && !(await groupQueries.find(db, organizationId, body.group))) {
    errors.group = ['The selected group is invalid.']
  }
  if (body.type && !(await isType(db, organizationId, body.type))) {
    errors.type = ['The selected type is invalid.']
  }
  if (body.network && findNetwork(body.network)?.key !== body.network) {
    errors.network = ['The selected network is invalid.']
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

export function findUrlFault(outside: Outside, text: string): string | undefined {
  if (!URL.canParse(text))
    return 'The url must be an address such as https://hooks.example.com/lora.'
  const url = new URL(text)
  const isBroker = isBrokerUrl(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:' && !isBroker) {
    return 'The url must begin with https://, or with mqtts:// or wss:// for a broker.'
  }
  if (isBroker && !hasPlainHost(url)) return 'The url has no usable host.'
  if (isBroker && (url.username !== '' || url.password !== '')) {
    return 'The url may not contain a user name: it has fields of its own.'
  }
  if (url.username !== '' || url.password !== '') {
    return 'The url may not contain a user name: the signature shows who sends.'
  }
  try {
    outside.check(url)
  } catch (error) {
    if (error instanceof NetworkError) return error.message
    throw error
  }
  return undefined
}

async function isType(db: Queryable, organizationId: number, id: number): Promise<boolean> {
  if (deviceTypes.some(({ typeId }) => typeId === id)) return true
  return (await typeQueries.find(db, organizationId, id)) !== undefined
}
