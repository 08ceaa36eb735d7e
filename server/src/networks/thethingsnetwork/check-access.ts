// api/ttn/lorawan/v3/identityserver.proto (AuthInfo), application_services.proto (ListRights).
import { isObject } from '../message-fields.ts'
import { NetworkError } from '../network.ts'
import type { Collaborator } from './account.ts'
import type { Session } from './client.ts'

/** What the calls of the other files need, by pkg/{identity,network,application,join}server. */
const neededRights = [
  'RIGHT_APPLICATION_DEVICES_READ',
  'RIGHT_APPLICATION_DEVICES_WRITE',
  'RIGHT_APPLICATION_DEVICES_WRITE_KEYS',
  'RIGHT_APPLICATION_SETTINGS_BASIC',
  'RIGHT_APPLICATION_TRAFFIC_READ',
  'RIGHT_APPLICATION_TRAFFIC_DOWN_WRITE',
]

/** Proves the API key and the application's id; the error says which field or right is missing. */
export async function checkAccess(session: Session): Promise<void> {
  // Of a key that it does not know, ListRights says no more than that it has no rights.
  await session.askIdentityServer({ method: 'GET', path: '/auth_info' })
  const { applicationId } = session.account
  const path = `/applications/${encodeURIComponent(applicationId)}/rights`
  const { rights } = await session.askIdentityServer({ method: 'GET', path })
  const held = Array.isArray(rights) ? rights : []
  if (held.length === 0) {
    throw new NetworkError(
      'refused',
      `The Things Stack has no application ${applicationId} (application_id) on which the API key (api_key) has rights.`,
    )
  }
  const holdsAll = held.includes('RIGHT_APPLICATION_ALL') || held.includes('RIGHT_ALL')
  const missing = holdsAll ? [] : neededRights.filter((right) => !held.includes(right))
  if (missing.length > 0) {
    throw new NetworkError(
      'refused',
      `The API key (api_key) lacks rights on the application ${applicationId}: ${missing.join(', ')}.`,
    )
  }
}

/** Whose gateways the account registers: what it says, or else whose API key it has. */
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
    'refused',
    'The API key (api_key) is one of an application. For gateways the account needs the key of a user or an organization, and its user_id or organization_id.',
  )
}
