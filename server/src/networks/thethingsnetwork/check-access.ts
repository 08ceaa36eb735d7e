// api/ttn/lorawan/v3/identityserver.proto (AuthInfo), application_services.proto (ListRights).
import type { RightFinding } from '../capabilities.ts'
import { isObject } from '../message-fields.ts'
import { NetworkError } from '../network-error.ts'
import type { Collaborator } from './account.ts'
import type { Session } from './client.ts'

/** The rights that our calls need, by pkg/{identity,network,application,join}server. */
const deviceRights = [
  'RIGHT_APPLICATION_DEVICES_READ',
  'RIGHT_APPLICATION_DEVICES_WRITE',
  'RIGHT_APPLICATION_DEVICES_WRITE_KEYS',
  'RIGHT_APPLICATION_SETTINGS_BASIC',
  'RIGHT_APPLICATION_TRAFFIC_READ',
  'RIGHT_APPLICATION_TRAFFIC_DOWN_WRITE',
]

const gatewayRights = {
  users: rightsOfOwner('USER'),
  organizations: rightsOfOwner('ORGANIZATION'),
}

function rightsOfOwner(kind: string): string[] {
  const ofOwner = [`RIGHT_${kind}_GATEWAYS_LIST`, `RIGHT_${kind}_GATEWAYS_CREATE`]
  return [...ofOwner, 'RIGHT_GATEWAY_SETTINGS_BASIC', 'RIGHT_GATEWAY_DELETE']
}

/**
 * Checks the API key, the application's id, and the owner of gateways if the account names one. The
 * error names the field or the missing rights. A key that lacks rights works for everything else,
 * so that error is about devices or gateways.
 */
export async function checkAccess(session: Session): Promise<void> {
  // ListRights does not refuse an unknown key; it lists no rights.
  await session.askIdentityServer({ method: 'GET', path: '/auth_info' })
  const { applicationId, collaborator } = session.account
  const held = await listRights(session, 'applications', applicationId)
  if (held.length === 0) {
    throw new NetworkError(
      'refused',
      `The Things Stack has no application ${applicationId} (application_id) on which the API key (api_key) has rights.`,
    )
  }
  const missing = findMissing(held, deviceRights)
  if (missing.length > 0) {
    throw new NetworkError(
      'refused',
      `The API key (api_key) lacks rights on the application ${applicationId}: ${missing.join(', ')}.`,
      { about: 'device' },
    )
  }
  if (collaborator) await checkGatewayRights(session, collaborator)
}

const needed = {
  list_devices: ['RIGHT_APPLICATION_DEVICES_READ'],
  create_devices: ['RIGHT_APPLICATION_DEVICES_WRITE', 'RIGHT_APPLICATION_DEVICES_WRITE_KEYS'],
  downlinks: ['RIGHT_APPLICATION_TRAFFIC_DOWN_WRITE', 'RIGHT_APPLICATION_TRAFFIC_READ'],
  callback: ['RIGHT_APPLICATION_SETTINGS_BASIC', 'RIGHT_APPLICATION_TRAFFIC_READ'],
} as const

/** For people: what each part of the account's use lacks. Gateways count only with an owner. */
export async function readRights(session: Session): Promise<RightFinding[]> {
  const { applicationId, collaborator } = session.account
  const held = await listRights(session, 'applications', applicationId)
  const ofDevices = Object.entries(needed).map(([right, names]) => ({
    right: right as keyof typeof needed,
    missing: findMissing(held, names),
  }))
  if (!collaborator) return ofDevices
  const { kind, id } = collaborator
  const missing = findMissing(await listRights(session, kind, id), gatewayRights[kind])
  const isOfList = (name: string) => name.endsWith('_LIST')
  return [
    ...ofDevices,
    { right: 'list_gateways', missing: missing.filter(isOfList) },
    { right: 'create_gateways', missing: missing.filter((name) => !isOfList(name)) },
  ]
}

async function checkGatewayRights(session: Session, { kind, id }: Collaborator): Promise<void> {
  const missing = findMissing(await listRights(session, kind, id), gatewayRights[kind])
  if (missing.length === 0) return
  const owner = kind === 'users' ? `user ${id} (user_id)` : `organization ${id} (organization_id)`
  throw new NetworkError(
    'refused',
    `The API key (api_key) lacks rights that the gateways of the ${owner} need: ${missing.join(', ')}.`,
    { about: 'gateway' },
  )
}

async function listRights(
  session: Session,
  kind: 'applications' | 'users' | 'organizations',
  id: string,
): Promise<unknown[]> {
  const path = `/${kind}/${encodeURIComponent(id)}/rights`
  const { rights } = await session.askIdentityServer({ method: 'GET', path })
  return Array.isArray(rights) ? rights : []
}

/** The lists name every right, including those that RIGHT_APPLICATION_ALL and its like imply. */
function findMissing(held: readonly unknown[], needed: readonly string[]): string[] {
  return held.includes('RIGHT_ALL') ? [] : needed.filter((right) => !isHeld(held, right))
}

function isHeld(held: readonly unknown[], right: string): boolean {
  const [kind] = /^RIGHT_[A-Z]+_/.exec(right) ?? []
  return held.includes(right) || held.includes(`${kind}ALL`)
}

/** The owner of the account's gateways: the one that it names, or the owner of its API key. */
export async function findCollaborator(session: Session): Promise<Collaborator> {
  const { collaborator } = session.account
  if (collaborator) return collaborator
  const info = await session.askIdentityServer({ method: 'GET', path: '/auth_info' })
  const key = isObject(info.api_key) ? info.api_key : {}
  const owner = isObject(key.entity_ids) ? key.entity_ids : {}
  const user = isObject(owner.user_ids) ? owner.user_ids.user_id : undefined
  if (typeof user === 'string') return { kind: 'users', id: user }
  const group = isObject(owner.organization_ids)
    ? owner.organization_ids.organization_id
    : undefined
  if (typeof group === 'string') return { kind: 'organizations', id: group }
  throw new NetworkError(
    'unauthorized',
    'The API key (api_key) is one of an application. For gateways the account needs the key of a user or an organization, and its user_id or organization_id.',
    { about: 'gateway' },
  )
}
