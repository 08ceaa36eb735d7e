import { randomBytes } from 'node:crypto'
import type { Queryable } from '../../../db/connect.ts'
import type { Client } from '../../../http/endpoint.ts'
import { momentOf } from '../../../http/timestamps.ts'
import type { CoreServices } from '../../core-services.ts'
import { endSessionsOf } from '../sessions/session-queries.ts'
import { isEmail } from '../users/emails.ts'
import { hashPassword } from '../users/passwords.ts'
import {
  type Credentials,
  findCredentials,
  findUser,
  insertUser,
  setPassword,
} from '../users/user-queries.ts'
import { followGroups, permissionsOf } from './follow-groups.ts'
import type { Claims } from './provider.ts'
import { findUserOf, isOperator, link } from './sign-on-queries.ts'
import type { SignOnSettings } from './sign-on-settings.ts'

/** Why nobody here is the person of the claims; for the log only. */
type Stranger = 'e-mail not verified' | 'linked to somebody else' | 'no user'

/**
 * The user of the claims, by issuer and subject; at the first sign-on by the verified e-mail, or
 * newly made where the settings allow it. Their memberships then follow the groups.
 */
export async function recognize(
  { db, log, now }: Pick<CoreServices, 'db' | 'log' | 'now'>,
  settings: SignOnSettings,
  claims: Claims,
  client: Client,
): Promise<Credentials | Stranger> {
  const unusable = await hashPassword(randomBytes(32).toString('base64url'))
  const time = now()
  return db.transaction(async (tx) => {
    const userId =
      (await findUserOf(tx, claims)) ?? (await introduce(tx, settings, claims, unusable, time))
    if (typeof userId === 'string') return userId
    const user = await findUser(tx, userId)
    if (!user) return 'no user'
    const follower = { userId, email: user.email, address: client.clientIp }
    await followGroups(tx, follower, settings.grants, claims.groups, time)
    log.debug({ userId, groups: claims.groups.length }, 'recognized at sign-on')
    return user
  })
}

/** Links the person to a user, for good: a later change of the e-mail changes nothing. */
async function introduce(
  tx: Queryable,
  settings: SignOnSettings,
  claims: Claims,
  unusable: string,
  now: Date,
): Promise<number | Stranger> {
  const { verifiedEmail: email } = claims
  if (email === undefined || !isEmail(email)) return 'e-mail not verified'
  const time = momentOf(now)
  const known = await findCredentials(tx, email)
  if (known) {
    if (!(await link(tx, claims, known.id, time))) return 'linked to somebody else'
    await shutOutOthers(tx, known.id, unusable, now)
    return known.id
  }
  const hasRole = permissionsOf(settings.grants, claims.groups).size > 0
  if (!settings.makesUsers || !hasRole) return 'no user'
  const { firstName, lastName } = claims
  const names = { firstName: firstName || email.split('@', 1)[0] || email, lastName }
  const user = { email, passwordHash: unusable, mustChangePassword: false, ...names }
  const userId = await insertUser(tx, user, time)
  if (userId === undefined || !(await link(tx, claims, userId, time))) return 'no user'
  return userId
}

/**
 * Nobody has proved yet that the e-mail of the user is theirs: whoever has made the user may know
 * the password. It ends with the sessions, and the person can choose another one by mail. The
 * owners of organization 1 keep it, for days on which the provider is out of reach.
 */
async function shutOutOthers(
  tx: Queryable,
  userId: number,
  unusable: string,
  now: Date,
): Promise<void> {
  await endSessionsOf(tx, userId, undefined, momentOf(now))
  if (await isOperator(tx, userId)) return
  await setPassword(tx, userId, { passwordHash: unusable, mustChange: false }, momentOf(now))
}
