import { isApiAddress } from '../account-fields.ts'
import type { AccountValues } from '../network.ts'

/** The owner of gateways. */
export interface Collaborator {
  kind: 'users' | 'organizations'
  id: string
}

/** The account's values under our own names. */
export interface StackAccount {
  /** Has the network, application and join server. */
  cluster: URL
  identityServer: URL
  applicationId: string
  apiKey: string
  /** Undefined if the API key shows it. */
  collaborator?: Collaborator
}

const clusterName = /^[a-z0-9-]{2,20}$/i

/** Takes values without faults. */
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
 * The address of a cluster, from its name in the public network, its host or its address; otherwise
 * undefined.
 */
export function toServer(text: string): URL | undefined {
  const isName = clusterName.test(text) && text !== 'localhost'
  const address = isName ? `https://${text}${publicDomain}` : text
  const whole = address.includes('://') ? address : `https://${address}`
  if (!isApiAddress(whole)) return undefined
  const url = new URL(whole)
  return /[.:]/.test(url.hostname) || url.hostname === 'localhost' ? url : undefined
}

/** Users and gateways are in eu1 (thethingsindustries.com/docs/the-things-stack/concepts/ttn). */
function identityServerOf(cluster: URL): URL {
  return cluster.hostname.endsWith(publicDomain) ? new URL(`https://eu1${publicDomain}`) : cluster
}

/**
 * The host of a zone of the gateway form. Only the public network and the tenants of The Things
 * Industries have other clusters; anywhere else it is the account's own.
 */
export function hostOfZone({ cluster }: StackAccount, zone: string | undefined): string {
  const { hostname } = cluster
  if (!zone) return hostname
  if (hostname.endsWith(publicDomain)) return `${zone}${publicDomain}`
  const [, tenant] = tenantsDomain.exec(hostname) ?? []
  return tenant ? `${tenant}.${zone}.cloud.thethings.industries` : hostname
}

/** Whether the cluster is of the public network or of a tenant, where its name is its address. */
export function isInCloud({ cluster }: StackAccount): boolean {
  return cluster.hostname.endsWith(publicDomain) || tenantsDomain.test(cluster.hostname)
}

/**
 * The user name at the MQTT server: the application's id, with the tenant where there are tenants
 * (thethingsindustries.com/docs/integrations/other-integrations/mqtt).
 */
export function mqttUserName(account: StackAccount): string {
  const { cluster, applicationId } = account
  if (cluster.hostname.endsWith(publicDomain)) return `${applicationId}@ttn`
  const [, tenant] = tenantsDomain.exec(cluster.hostname) ?? []
  return tenant ? `${applicationId}@${tenant}` : applicationId
}
