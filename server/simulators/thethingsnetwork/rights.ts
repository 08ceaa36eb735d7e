// Rights, pkg/identityserver/rights.go and pkg/auth/rights/require.go.
import type { Right } from '../../src/networks/capabilities.ts'
import type { FarAnswer, FarCall } from '../far-call.ts'
import { fail } from './errors.ts'
import { pathsIn, type StackStore } from './store.ts'

export type EntityKind = 'application' | 'gateway' | 'user' | 'organization'

/** Rights of api/ttn/lorawan/v3/rights.proto that these calls need or that lists of rights show. */
const allRights = [
  'RIGHT_USER_INFO',
  'RIGHT_USER_GATEWAYS_LIST',
  'RIGHT_USER_GATEWAYS_CREATE',
  'RIGHT_APPLICATION_INFO',
  'RIGHT_APPLICATION_SETTINGS_BASIC',
  'RIGHT_APPLICATION_DEVICES_READ',
  'RIGHT_APPLICATION_DEVICES_WRITE',
  'RIGHT_APPLICATION_DEVICES_READ_KEYS',
  'RIGHT_APPLICATION_DEVICES_WRITE_KEYS',
  'RIGHT_APPLICATION_TRAFFIC_READ',
  'RIGHT_APPLICATION_TRAFFIC_UP_WRITE',
  'RIGHT_APPLICATION_TRAFFIC_DOWN_WRITE',
  'RIGHT_APPLICATION_LINK',
  'RIGHT_GATEWAY_INFO',
  'RIGHT_GATEWAY_SETTINGS_BASIC',
  'RIGHT_GATEWAY_DELETE',
  'RIGHT_ORGANIZATION_INFO',
  'RIGHT_ORGANIZATION_GATEWAYS_LIST',
  'RIGHT_ORGANIZATION_GATEWAYS_CREATE',
]

/** Returns the rights that a right includes (pkg/ttnpb/rights.go, Implied). */
function impliedBy(right: string): string[] {
  if (right === 'RIGHT_ALL') return allRights
  if (!right.endsWith('_ALL')) return [right]
  return [right, ...allRights.filter((one) => one.startsWith(right.replace(/ALL$/, '')))]
}

/** The key's rights, as /auth_info returns them. */
export function rightsOfKey({ rights, denied }: StackStore): string[] {
  const held = new Set(rights.flatMap(impliedBy))
  return [...held].filter((right) => !denied.includes(right))
}

/** For each right of `capabilities.ts`, the rights of The Things Stack. */
export const rightsByWord: Record<Right, readonly string[]> = {
  write_devices: ['RIGHT_APPLICATION_DEVICES_WRITE'],
  read_gateways: ['RIGHT_USER_GATEWAYS_LIST'],
  write_gateways: [
    'RIGHT_USER_GATEWAYS_CREATE',
    'RIGHT_GATEWAY_SETTINGS_BASIC',
    'RIGHT_GATEWAY_DELETE',
  ],
  send_downlinks: ['RIGHT_APPLICATION_TRAFFIC_DOWN_WRITE'],
  set_callback: ['RIGHT_APPLICATION_SETTINGS_BASIC'],
}

/** The key's rights on one entity. The list is empty if the entity does not exist. */
export function rightsOn(store: StackStore, kind: EntityKind, id: string): string[] {
  const rights = rightsOfKey(store)
  const { kind: owner, id: ownerId } = ownerOf(store)
  if (kind === owner && id === ownerId) return rights
  if (kind === 'user' || owner === 'application') return []
  // The user is a member of the organization. The organization is a collaborator of the
  // application, with all rights.
  const isMember =
    (kind === 'organization' && owner === 'user' && id === store.organizationId) ||
    (kind === 'application' && id === store.applicationId) ||
    (kind === 'gateway' && isGatewayOf(store, owner, id))
  const prefix = kind === 'organization' ? /./ : new RegExp(`^RIGHT_${kind.toUpperCase()}_`)
  return isMember ? rights.filter((right) => prefix.test(right)) : []
}

function isGatewayOf({ gateways, ...store }: StackStore, owner: EntityKind, id: string): boolean {
  const gateway = gateways.get(id)
  const owners = owner === 'user' ? [store.userId, store.organizationId] : [store.organizationId]
  return gateway !== undefined && owners.includes(gateway.owner)
}

/** The owner of the API key. */
export function ownerOf(store: StackStore): { kind: EntityKind; id: string } {
  const { keyOwner: kind, applicationId, userId, organizationId } = store
  const ids = { application: applicationId, user: userId, organization: organizationId }
  return { kind, id: ids[kind] }
}

/** Returns a refusal if the key lacks rights on a thing. */
function requireRights(
  store: StackStore,
  kind: EntityKind,
  id: string,
  needed: readonly string[],
): FarAnswer | undefined {
  const held = rightsOn(store, kind, id)
  if (held.length === 0) {
    const format = `no rights for ${kind} \`{uid}\``
    return fail(403, `pkg/auth/rights:no_${kind}_rights`, format, { attributes: { uid: id } })
  }
  const missing = needed.filter((right) => !held.includes(right))
  if (missing.length === 0) return undefined
  const format = `insufficient rights for ${kind} \`{uid}\``
  const error = `pkg/auth/rights:insufficient_${kind}_rights`
  return fail(403, error, format, { attributes: { uid: id, missing } })
}

/** Returns a refusal if the key lacks a right that the call needs. */
export function refuseCall(store: StackStore, call: FarCall): FarAnswer | undefined {
  const { application, owner, gateway } = call.params
  if (application !== undefined) {
    const needed = rightsForApplication(call)
    return needed && requireRights(store, 'application', application, needed)
  }
  if (owner !== undefined && call.route.endsWith('/gateways')) {
    const kind = call.route.includes('/organizations/') ? 'organization' : 'user'
    const verb = call.method === 'POST' ? 'CREATE' : 'LIST'
    return requireRights(store, kind, owner, [`RIGHT_${kind.toUpperCase()}_GATEWAYS_${verb}`])
  }
  if (call.route.endsWith('/search/gateways') && store.keyOwner === 'application') {
    return fail(403, 'pkg/identityserver:search_forbidden', 'search is forbidden')
  }
  // Only administrators may purge, whatever rights the key has.
  if (gateway === undefined || call.route.endsWith('/purge')) return undefined
  const right = call.method === 'PUT' ? 'RIGHT_GATEWAY_SETTINGS_BASIC' : 'RIGHT_GATEWAY_DELETE'
  return requireRights(store, 'gateway', gateway, [right])
}

/**
 * Sources: pkg/{identity,join,network,application}server, grpc_deviceregistry.go, io/grpc, io/web.
 */
function rightsForApplication({ method, route, query, body }: FarCall): string[] | undefined {
  if (route.endsWith('/rights')) return undefined
  if (route.endsWith('/link')) return ['RIGHT_APPLICATION_SETTINGS_BASIC']
  const isRead = method === 'GET'
  if (route.includes('/as/webhooks/')) {
    const read = 'RIGHT_APPLICATION_TRAFFIC_READ'
    if (isRead) return [read]
    return ['RIGHT_APPLICATION_SETTINGS_BASIC', read, 'RIGHT_APPLICATION_TRAFFIC_DOWN_WRITE']
  }
  if (/\/down(\/|$)/.test(route)) {
    return [isRead ? 'RIGHT_APPLICATION_TRAFFIC_READ' : 'RIGHT_APPLICATION_TRAFFIC_DOWN_WRITE']
  }
  const paths = isRead ? (query.field_mask ?? '').split(',') : pathsIn(body)
  const hasKeys = paths.some((path) => /^(root_keys|session$|session\.keys)/.test(path))
  const hasQueue = paths.some((path) => path.endsWith('queued_application_downlinks'))
  const verb = isRead ? 'READ' : 'WRITE'
  return [
    `RIGHT_APPLICATION_DEVICES_${verb}`,
    ...(hasKeys ? [`RIGHT_APPLICATION_DEVICES_${verb}_KEYS`] : []),
    ...(hasQueue ? ['RIGHT_APPLICATION_TRAFFIC_READ'] : []),
  ]
}
