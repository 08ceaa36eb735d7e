import { createPrivateKey, X509Certificate } from 'node:crypto'
import { z } from 'zod'
import type { Sealer } from '../../../db/seal.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import type { FieldErrors } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { optionalBoolean, optionalLines, optionalText } from '../../../http/fields.ts'
import { findTemplateFault, longestTemplate, usualTemplate } from './topic-template.ts'

/** How a webhook publishes at a broker, as it is stored. */
export interface MqttSettings {
  topic: string
  retain: boolean
  /** Home Assistant is told of the devices. Undefined in webhooks of earlier releases. */
  discovery?: boolean
  discovery_prefix?: string
  username: string | null
  ca_certificate: string | null
  client_certificate: string | null
  has_password: boolean
  has_client_key: boolean
}

/** The secrets of a login, which are sealed as one. */
export interface MqttSecrets {
  password: string | null
  client_key: string | null
}

const longestPem = 20_000
export const usualPrefix = 'homeassistant'
const longestPrefix = 100

const mqttFields = withExamples(
  {
    topic: optionalText('topic', longestTemplate).describe(
      `With \`{organization}\`, \`{device}\` (the DevEUI), \`{device_name}\`, \`{type}\`, \`{network}\` and \`{event}\` in place of the event's own; \`${usualTemplate}\` by default.`,
    ),
    retain: optionalBoolean('retain').describe(
      'The broker keeps the last message of each topic; `false` by default, `true` with discovery.',
    ),
    discovery: optionalBoolean('discovery').describe(
      'Each device is announced to Home Assistant before its first uplink (docs/home-assistant.md).',
    ),
    discovery_prefix: optionalText('discovery prefix', longestPrefix).describe(
      `Where Home Assistant looks; \`${usualPrefix}\` by default.`,
    ),
    username: optionalText('user name'),
    password: optionalLines('password').describe(
      'Never shown. Left out, it stays until `url` changes.',
    ),
    ca_certificate: optionalLines('CA certificate', longestPem).describe(
      "PEM. Who has issued the broker's certificate, if it is no public authority.",
    ),
    client_certificate: optionalLines('client certificate', longestPem).describe('PEM.'),
    client_key: optionalLines('client key', longestPem).describe('PEM, kept as the password.'),
  },
  {
    topic: usualTemplate,
    retain: false,
    discovery: false,
    discovery_prefix: usualPrefix,
    username: 'lora',
    password: 'an invented password',
    ca_certificate: null,
    client_certificate: null,
    client_key: null,
  },
)

/** The member `mqtt` of a request. What is left out stays; null ends it. */
export const mqttBody = z
  .object(mqttFields, { error: 'The mqtt field must be an object.' })
  .partial()
  .nullish()

export type MqttBody = z.infer<typeof mqttBody>

/** The member `mqtt` of a record. */
export const mqttRecord = z
  .object(
    withExamples(
      {
        topic: z.string(),
        retain: z.boolean(),
        discovery: z.boolean(),
        discovery_prefix: z.string(),
        username: z.string().nullable(),
        has_password: z.boolean(),
        ca_certificate: z.string().nullable(),
        client_certificate: z.string().nullable(),
        has_client_key: z.boolean(),
      },
      {
        topic: usualTemplate,
        retain: false,
        discovery: false,
        discovery_prefix: usualPrefix,
        username: 'lora',
        has_password: true,
        ca_certificate: null,
        client_certificate: null,
        has_client_key: false,
      },
    ),
  )
  .nullable()

const schemes = new Set(['mqtt:', 'mqtts:', 'ws:', 'wss:'])

/** Whether an address is a broker's: its scheme tells. */
export function isBrokerUrl(url: string): boolean {
  return schemes.has(URL.parse(url)?.protocol ?? '')
}

/** The settings of a broker after a change; those that are left out stay. */
export function mergeMqtt(
  stored: MqttSettings | null,
  body: MqttBody,
  secrets: MqttSecrets,
): MqttSettings {
  const given = body ?? {}
  const text = (name: 'username' | 'ca_certificate' | 'client_certificate') =>
    (given[name] === undefined ? stored?.[name] : given[name]) || null
  const choice = <Name extends 'topic' | 'retain' | 'discovery' | 'discovery_prefix'>(
    name: Name,
  ) => (given[name] === undefined ? stored?.[name] : given[name])
  const discovery = choice('discovery') ?? false
  return {
    topic: choice('topic') || usualTemplate,
    // Home Assistant listens to a new device only after its first state was published.
    retain: choice('retain') ?? discovery,
    discovery,
    discovery_prefix: choice('discovery_prefix') || usualPrefix,
    username: text('username'),
    ca_certificate: text('ca_certificate'),
    client_certificate: text('client_certificate'),
    has_password: secrets.password !== null,
    has_client_key: secrets.client_key !== null,
  }
}

/** The same for the secrets. At another address nothing stays: they are for the former one. */
export function mergeSecrets(stored: MqttSecrets, body: MqttBody, isMoved: boolean): MqttSecrets {
  const known = isMoved ? noSecrets : stored
  const { password, client_key } = body ?? {}
  return {
    password: (password === undefined ? known.password : password) || null,
    client_key: (client_key === undefined ? known.client_key : client_key) || null,
  }
}

export const noSecrets: MqttSecrets = { password: null, client_key: null }

interface Sealed {
  organization_id: number
  id: number
  sealed_login: Buffer | null
}

export function openSecretsOf(sealer: Sealer, { organization_id, id, sealed_login }: Sealed) {
  if (!sealed_login) return noSecrets
  const text = sealer.open(sealed_login, sealContext('webhookLogin', organization_id, id))
  return JSON.parse(text) as MqttSecrets
}

/** Null where there is nothing to seal. */
export function sealSecrets(
  sealer: Sealer,
  { password, client_key }: MqttSecrets,
  organizationId: number,
  id: number,
): Buffer | null {
  if (password === null && client_key === null) return null
  const text = JSON.stringify({ password, client_key })
  return sealer.seal(text, sealContext('webhookLogin', organizationId, id))
}

/** What is wrong with the settings, by the member of the request. */
export function findMqttFaults(settings: MqttSettings, secrets: MqttSecrets): FieldErrors {
  const errors: FieldErrors = {}
  const topic = findTemplateFault(settings.topic)
  if (topic) errors['mqtt.topic'] = [topic]
  const discovery = findDiscoveryFault(settings)
  if (discovery) errors['mqtt.discovery'] = [discovery]
  const prefix = findPrefixFault(settings.discovery_prefix ?? usualPrefix)
  if (prefix) errors['mqtt.discovery_prefix'] = [prefix]
  const { ca_certificate, client_certificate, username } = settings
  if (ca_certificate && !isCertificate(ca_certificate)) {
    errors['mqtt.ca_certificate'] = ['The CA certificate must be a certificate in PEM.']
  }
  if (client_certificate && !isCertificate(client_certificate)) {
    errors['mqtt.client_certificate'] = ['The client certificate must be a certificate in PEM.']
  }
  if (secrets.client_key && !isPair(client_certificate, secrets.client_key)) {
    errors['mqtt.client_key'] = ['The client key must be the PEM key of the client certificate.']
  }
  // MQTT 3.1.1, section 3.1.2.9: no password without a user name.
  if (secrets.password && !username) errors['mqtt.username'] = ['The password needs a user name.']
  return errors
}

function findDiscoveryFault({ discovery, topic }: MqttSettings): string | undefined {
  if (!discovery || topic.includes('{device}')) return undefined
  return 'Home Assistant discovery needs {device} in the topic, so that each device has its own.'
}

function findPrefixFault(prefix: string): string | undefined {
  if (/[{}]/.test(prefix)) return 'The discovery prefix may not have braces.'
  return findTemplateFault(prefix)?.replace('The topic', 'The discovery prefix')
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem) !== undefined
  } catch {
    return false
  }
}

function isPair(certificate: string | null, key: string): boolean {
  if (!certificate || !isCertificate(certificate)) return false
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}
