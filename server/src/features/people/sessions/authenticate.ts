import { lookUpTogether } from '../../../db/together.ts'
import type { Spend } from '../../../http/authorize.ts'
import { type Caller, type Client, permissions, type Session } from '../../../http/endpoint.ts'
import { forbidden, lacksPermission, refuse, unauthenticated } from '../../../http/errors.ts'
import { momentOf } from '../../../http/timestamps.ts'
import type { CoreServices } from '../../core-services.ts'
import {
  type Admission,
  type AdmissionKey,
  findAdmissions,
  findSessionRow,
  noteUse,
} from './session-queries.ts'
import { createUseNotes, hashToken } from './sessions.ts'

/** The session of a token, or undefined. `mayBeExpired` accepts one that can be exchanged. */
export async function findSession(
  { db, now }: Pick<CoreServices, 'db' | 'now'>,
  token: string,
  mayBeExpired: boolean,
): Promise<Session | undefined> {
  const tokenHash = hashToken(token)
  const row = await findSessionRow(db, tokenHash, momentOf(now()), mayBeExpired)
  return row && { sessionId: row.id, userId: row.user_id, tokenHash }
}

const noMember = 'You are not a member of this organization.'
const sessionEnded =
  'An administrator has ended your sessions in this organization. Please log in again.'
const twoFactorRequired =
  'This organization requires two-factor authentication. Please set it up first.'

/** What a member may call who has still to set two-factor authentication up. */
const settingUp: ReadonlySet<string> = new Set([
  'GET /user/get-org-user/me',
  'POST /confirm-password-access',
  'POST /generate-qr-image',
  'POST /verify-two-factor-authentication',
  'POST /complete-verification',
  'GET /user/passkeys',
  'POST /user/passkeys',
  'POST /user/passkeys/options',
  'POST /user/password',
  'DELETE /organization/users/me',
])

/** Finds the admission of a token, by its hash, to an organization. */
type FindAdmission = (tokenHash: Buffer, organizationId: number) => Promise<Admission | undefined>

/**
 * Requests that arrive during a lookup share the next one. With a `client`, the use of the session
 * is recorded now and then, in the background.
 */
export function createFindAdmission(services: Pick<CoreServices, 'db' | 'now' | 'log'>) {
  const { db, now } = services
  const noteInBackground = createUseNotes(services)
  const find = lookUpTogether(
    (keys: string[]) => findAdmissions(db, keys.map(parseKey), momentOf(now())),
    (row) => `${row.token_hash} ${row.organization_id}`,
  )
  return async (tokenHash: Buffer, organizationId: number, client?: Client) => {
    const found = await find(`${tokenHash.toString('hex')} ${organizationId}`)
    if (client && found?.is_use_old) {
      const { session_id: id } = found
      noteInBackground(`session ${id}`, () => noteUse(db, id, client, momentOf(now())))
    }
    return found
  }
}

function parseKey(key: string): AdmissionKey {
  const [tokenHash = '', organizationId] = key.split(' ')
  return { tokenHash, organizationId: Number(organizationId) }
}

/**
 * The caller as a member of the organization. `access` is a permission, or `signed-in` for any
 * member. An organization that does not exist gets the same answer as a foreign one. `spend` throws
 * when the user has sent too many requests.
 *
 * @throws HttpError 401 for an invalid token, 403 for no membership, ended sessions, missing two-factor
 * authentication or a missing permission.
 */
export async function admit(
  findAdmission: FindAdmission,
  token: string,
  organizationId: number,
  { access, operation, spend }: { access: string; operation: string; spend: Spend },
): Promise<Caller> {
  const tokenHash = hashToken(token)
  const found = await findAdmission(tokenHash, organizationId)
  if (!found) throw unauthenticated()
  // Organizations of which the user is no member share one allowance.
  const isMember = found.is_owner !== null
  const tenant = { id: found.tenant_id ?? organizationId, limit: found.request_limit }
  spend(found.user_id, isMember ? organizationId : 0, isMember ? tenant : undefined)
  if (found.is_owner === null) throw forbidden(noMember, found.user_id)
  const refused = { organizationId, userId: found.user_id }
  if (found.is_ended) throw refuse(sessionEnded, refused)
  if (found.lacks_two_factor && !settingUp.has(operation)) throw refuse(twoFactorRequired, refused)
  const held = found.is_owner ? permissions : (found.permissions ?? [])
  if (access !== 'signed-in' && !held.some((permission) => permission === access)) {
    throw refuse(lacksPermission(access), refused)
  }
  return {
    sessionId: found.session_id,
    userId: found.user_id,
    tokenHash,
    organizationId,
    tenantId: found.tenant_id ?? organizationId,
    isOwner: found.is_owner,
    permissions: held,
    groupId: found.is_owner ? undefined : (found.group_id ?? undefined),
  }
}
