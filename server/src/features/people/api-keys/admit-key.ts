import { lookUpTogether } from '../../../db/together.ts'
import { organizationOfKey } from '../../../http/api-key.ts'
import type { KeyRequest } from '../../../http/authorize.ts'
import type { Caller } from '../../../http/endpoint.ts'
import { refuse, unauthenticated } from '../../../http/errors.ts'
import { momentOf } from '../../../http/timestamps.ts'
import type { CoreServices } from '../../core-services.ts'
import { createUseNotes, hashToken } from '../sessions/sessions.ts'
import {
  type AskedKey,
  findKeyAdmissions,
  type KeyAdmission,
  noteKeyUse,
} from './admission-queries.ts'
import { keepToGroup, keepToTag } from './keep-to-group.ts'
import { isWithin } from './networks.ts'

/**
 * Admits requests with an API key. Requests that arrive during a lookup share the next one. The use
 * of a key is recorded now and then, in the background.
 */
export function createAdmitKey(services: Pick<CoreServices, 'db' | 'now' | 'log'>) {
  const { db, now } = services
  const noteInBackground = createUseNotes(services)
  const find = lookUpTogether(
    (keys: string[]) => findKeyAdmissions(db, keys.map(parseAsked), momentOf(now())),
    (row) => `${row.organization_id} ${row.asked_hash}`,
  )
  /** @throws HttpError 401 for a key that is not valid, 403 for what it may not do. */
  return async (text: string, request: KeyRequest): Promise<Caller> => {
    const tokenHash = hashToken(text)
    const found = await find(`${organizationOfKey(text) ?? 0} ${tokenHash.toString('hex')}`)
    // Exchanging and ending are only for sessions.
    const isOfSessions = request.access === 'refresh' || request.access === 'token'
    if (!found || isOfSessions) throw unauthenticated()
    const { organization_id: organizationId, id, name, user_id: userId } = found
    const refused = { organizationId, userId, key: { id, name } }
    if (found.is_expired) throw unauthenticated(undefined, refused)
    const isOwn = request.organizationId === organizationId
    const tenant = { id: found.tenant_id, limit: found.request_limit }
    request.spend(`key ${id}`, isOwn ? organizationId : 0, tenant)
    const fault = findFault(found, request)
    if (fault) throw refuse(fault, refused)
    const { client } = request
    if (found.is_use_old) {
      noteInBackground(`key ${id}`, () =>
        noteKeyUse(db, organizationId, { id, client, now: momentOf(now()) }),
      )
    }
    const caller = toCaller(found, tokenHash)
    await keepToGroup(db, caller, request)
    await keepToTag(db, caller, request)
    return caller
  }
}

function parseAsked(key: string): AskedKey {
  const [organizationId, hash = ''] = key.split(' ')
  return { organizationId: Number(organizationId), hash }
}

/** Why the key may not make the request. */
function findFault(
  { organization_id: organizationId, networks, permissions }: KeyAdmission,
  { organizationId: wanted, client, reach, access }: KeyRequest,
): string | undefined {
  if (wanted !== organizationId) return 'This API key belongs to another organization.'
  if (!isWithin(networks, client.clientIp)) {
    return `This API key may not be used from ${client.clientIp}.`
  }
  if (reach === 'person' || reach === 'own login') {
    return 'This takes the login of a person, not an API key.'
  }
  if (access !== 'signed-in' && !permissions.some((permission) => permission === access)) {
    return `This API key does not have the permission ${access}.`
  }
  return undefined
}

function toCaller(found: KeyAdmission, tokenHash: Buffer): Caller {
  const { organization_id: organizationId, id, name, user_id: userId } = found
  return {
    sessionId: -id,
    userId,
    tokenHash,
    organizationId,
    tenantId: found.tenant_id,
    isOwner: false,
    permissions: found.permissions,
    groupId: found.group_id ?? undefined,
    tag: found.tag ?? undefined,
    key: { id, name },
  }
}
