import { createHash } from 'node:crypto'
import type { Sealer } from '../../../db/seal.ts'
import type { BrokerTarget } from './broker-connections.ts'
import { type MqttSettings, openSecretsOf } from './mqtt-settings.ts'
import { fillTemplate, type TopicValues } from './topic-template.ts'
import type { StoredWebhook } from './webhook-queries.ts'

/** The broker of a webhook, with its opened secrets. */
export function toBrokerTarget(
  sealer: Sealer,
  webhook: StoredWebhook & { claim?: string },
  { username, ca_certificate, client_certificate }: MqttSettings,
): BrokerTarget {
  const { organization_id, id, url, created_at, updated_at, claim = '' } = webhook
  const { password, client_key } = openSecretsOf(sealer, webhook)
  return {
    key: `${organization_id} ${id}`,
    version: updated_at,
    portion: claim,
    target: {
      url,
      clientId: toClientId(`${organization_id} ${id} ${created_at}`),
      username: username ?? undefined,
      password: password ?? undefined,
      ca: ca_certificate ?? undefined,
      cert: client_certificate ?? undefined,
      key: client_key ?? undefined,
    },
  }
}

/** The same broker under another client id, which ends no other connection. */
export function apart({ target, ...broker }: BrokerTarget): BrokerTarget {
  return { ...broker, target: { ...target, clientId: toClientId(`test ${target.clientId}`) } }
}

/**
 * A webhook has one client id, so that a broker ends the connection of a process that has lost the
 * webhook. 23 letters and digits are what every broker must accept (MQTT 3.1.1, section 3.1.3.1).
 */
function toClientId(text: string): string {
  return `lfw${createHash('sha256').update(text).digest('hex').slice(0, 20)}`
}

export interface TopicSource {
  kind: string
  device: { device_eui: string; device_name: string; device_type_id: number; network: string }
}

export function topicOf(
  template: string,
  organization: number,
  { kind, device }: TopicSource,
): string {
  const values: TopicValues = {
    organization,
    device: device.device_eui,
    device_name: device.device_name,
    type: device.device_type_id,
    network: device.network,
    event: kind,
  }
  return fillTemplate(template, values)
}
