import { isApiAddress, isOneWord } from '../api-address.ts'
import { findBrokerFault } from '../mqtt/broker.ts'
import type { AccountField, AccountValues } from '../network.ts'

/** What an account at a ChirpStack v4 server is made of. */
export const accountFields: readonly AccountField[] = [
  { name: 'server', label: 'Server (http://host:8080)', required: true, secret: false },
  { name: 'api_key', label: 'API key', required: true, secret: true },
  { name: 'tenant_id', label: 'Tenant ID', required: true, secret: false },
  { name: 'application_id', label: 'Application ID', required: true, secret: false },
  { name: 'device_profile_id', label: 'Device profile ID', required: true, secret: false },
  { name: 'mqtt_url', label: 'MQTT broker (mqtt://host:1883)', required: false, secret: false },
  { name: 'mqtt_username', label: 'MQTT user name', required: false, secret: false },
  { name: 'mqtt_password', label: 'MQTT password', required: false, secret: true },
]

/** The account's values under our own names. */
export interface ChirpStackAccount {
  server: URL
  apiKey: string
  tenantId: string
  applicationId: string
  deviceProfileId: string
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const idFields = ['tenant_id', 'application_id', 'device_profile_id']

/** Tells what is wrong with the values that are there, by field name. */
export function checkAccount(values: AccountValues): Record<string, string> {
  const problems: Record<string, string> = {}
  if (values.server && !isApiAddress(values.server)) {
    problems.server = 'The server must be like http://host:8080 or https://host, without a path.'
  }
  // The key travels as a gRPC header; anything else would fail there, with the key in the message.
  if (values.api_key && !isOneWord(values.api_key)) {
    problems.api_key = 'The API key must be one word without spaces or line breaks.'
  }
  for (const field of idFields) {
    const value = values[field]
    if (value && !uuid.test(value)) problems[field] = `The ${words(field)} must be a UUID.`
  }
  const brokerFault = values.mqtt_url ? findBrokerFault(values.mqtt_url) : undefined
  if (brokerFault) problems.mqtt_url = brokerFault
  // MQTT 3.1.1 has no password without a user name (section 3.1.2.9).
  if (values.mqtt_password && !values.mqtt_username) {
    problems.mqtt_username = 'The MQTT user name is required with an MQTT password.'
  }
  return problems
}

/** Takes values that `checkAccount` found nothing wrong with. */
export function readAccount(values: AccountValues): ChirpStackAccount {
  return {
    server: new URL(values.server ?? ''),
    apiKey: values.api_key ?? '',
    tenantId: (values.tenant_id ?? '').toLowerCase(),
    applicationId: (values.application_id ?? '').toLowerCase(),
    deviceProfileId: (values.device_profile_id ?? '').toLowerCase(),
  }
}

function words(field: string): string {
  return field.replaceAll('_', ' ').replace(' id', ' ID')
}
