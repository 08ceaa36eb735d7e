import { isApiAddress, isOneWord } from '../api-address.ts'
import { findBrokerFault } from '../mqtt/broker.ts'
import type { AccountField, AccountValues } from '../network.ts'

/** What an account at The Things Stack is made of. */
export const accountFields: readonly AccountField[] = [
  {
    name: 'cluster',
    label: 'Cluster (eu1, or https://tenant.eu1.cloud.thethings.industries)',
    required: true,
    secret: false,
  },
  { name: 'application_id', label: 'Application ID', required: true, secret: false },
  { name: 'api_key', label: 'API key', required: true, secret: true },
  { name: 'user_id', label: 'User ID (for gateways)', required: false, secret: false },
  {
    name: 'organization_id',
    label: 'Organization ID (for gateways)',
    required: false,
    secret: false,
  },
  {
    name: 'identity_server',
    label: 'Identity server, where it is in another cluster',
    required: false,
    secret: false,
  },
  { name: 'mqtt_url', label: 'MQTT server (mqtts://host:8883)', required: false, secret: false },
  { name: 'mqtt_username', label: 'MQTT user name', required: false, secret: false },
]

/** Whose the gateways are. */
export interface Collaborator {
  kind: 'users' | 'organizations'
  id: string
}

/** The account's values under our own names. */
export interface StackAccount {
  /** With the network, application and join server. */
  cluster: URL
  identityServer: URL
  applicationId: string
  apiKey: string
  /** Undefined where the API key tells. */
  collaborator?: Collaborator
}

/** api/ttn/lorawan/v3/identifiers.proto; user IDs may be of two characters. */
const slug = /^[a-z0-9](-?[a-z0-9])+$/
const longestId = 36
const clusterName = /^[a-z0-9-]{2,20}$/i

/** Tells what is wrong with the values that are there, by field name. */
export function checkAccount(values: AccountValues): Record<string, string> {
  const problems: Record<string, string> = {}
  if (values.cluster && !toServer(values.cluster)) {
    problems.cluster =
      'The cluster must be its name, such as eu1, or its address, such as https://tenant.eu1.cloud.thethings.industries.'
  }
  if (values.identity_server && !toServer(values.identity_server)) {
    problems.identity_server =
      'The identity server must be the name of its cluster or its address, such as https://host.'
  }
  for (const field of ['application_id', 'user_id', 'organization_id']) {
    const value = values[field]
    if (value && !(slug.test(value) && value.length <= longestId)) {
      const words = field.replace('_id', ' ID')
      problems[field] = `The ${words} must be of lower-case letters, digits and single dashes.`
    }
  }
  if (values.user_id && values.organization_id && !problems.organization_id) {
    problems.organization_id = 'Gateways belong to a user or to an organization: leave one out.'
  }
  if (values.api_key && !isOneWord(values.api_key)) {
    problems.api_key = 'The API key must be one word without spaces or line breaks.'
  }
  const brokerFault = values.mqtt_url ? findBrokerFault(values.mqtt_url) : undefined
  if (brokerFault) problems.mqtt_url = brokerFault
  return problems
}

/** Takes values that `checkAccount` found nothing wrong with. */
export function readAccount(values: AccountValues): StackAccount {
  const cluster = toServer(values.cluster ?? '') ?? new URL('https://invalid.invalid')
  const identityServer = values.identity_server ? toServer(values.identity_server) : undefined
  const collaborator = readCollaborator(values)
  return {
    cluster,
    identityServer: identityServer ?? identityServerOf(cluster),
    applicationId: values.application_id ?? '',
    apiKey: values.api_key ?? '',
    ...(collaborator ? { collaborator } : {}),
  }
}

function readCollaborator(values: AccountValues): Collaborator | undefined {
  if (values.user_id) return { kind: 'users', id: values.user_id }
  if (values.organization_id) return { kind: 'organizations', id: values.organization_id }
  return undefined
}

const publicDomain = '.cloud.thethings.network'
const tenantsDomain = /^([a-z0-9-]+)\.([a-z0-9-]+)\.cloud\.thethings\.industries$/

/**
 * The address of a cluster by its name in the public network, by its host, or as it stands;
 * undefined when it is none.
 */
function toServer(text: string): URL | undefined {
  const isName = clusterName.test(text) && text !== 'localhost'
  const address = isName ? `https://${text}${publicDomain}` : text
  const whole = address.includes('://') ? address : `https://${address}`
  if (!isApiAddress(whole)) return undefined
  const url = new URL(whole)
  return /[.:]/.test(url.hostname) || url.hostname === 'localhost' ? url : undefined
}

/** thethingsindustries.com/docs/the-things-stack/concepts/ttn: users and gateways are kept in eu1. */
function identityServerOf(cluster: URL): URL {
  return cluster.hostname.endsWith(publicDomain) ? new URL(`https://eu1${publicDomain}`) : cluster
}

/**
 * The host of a cluster that a zone of the gateway form names: in the public network and for the
 * tenants of The Things Industries another one, anywhere else the account's own.
 */
export function hostOfZone({ cluster }: StackAccount, zone: string | undefined): string {
  const { hostname } = cluster
  if (!zone) return hostname
  if (hostname.endsWith(publicDomain)) return `${zone}${publicDomain}`
  const [, tenant] = tenantsDomain.exec(hostname) ?? []
  return tenant ? `${tenant}.${zone}.cloud.thethings.industries` : hostname
}

/** Whether it is a cluster of the public network or of a tenant, whose name is its address. */
export function isInCloud({ cluster }: StackAccount): boolean {
  return cluster.hostname.endsWith(publicDomain) || tenantsDomain.test(cluster.hostname)
}

/**
 * The user name at the MQTT server: the application, with the tenant where there are tenants
 * (thethingsindustries.com/docs/integrations/other-integrations/mqtt).
 */
export function mqttUserName(account: StackAccount): string {
  const { cluster, applicationId } = account
  if (cluster.hostname.endsWith(publicDomain)) return `${applicationId}@ttn`
  const [, tenant] = tenantsDomain.exec(cluster.hostname) ?? []
  return tenant ? `${applicationId}@${tenant}` : applicationId
}
