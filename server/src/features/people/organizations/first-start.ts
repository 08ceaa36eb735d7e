import { randomBytes } from 'node:crypto'
import { SetupError } from '../../../db/setup-error.ts'
import { momentOf } from '../../../http/timestamps.ts'
import type { CoreServices } from '../../core-services.ts'
import { findFaultOf } from '../users/password-fields.ts'
import { hashPassword } from '../users/passwords.ts'
import { insertUser } from '../users/user-queries.ts'
import {
  hasOrganizations,
  insertOrganization,
  lockFirstStart,
  startNumberingAtOne,
} from './organization-queries.ts'

/** `password` is set only when it was generated here, to be shown once. */
type FirstStart = { isNew: false } | { isNew: true; email: string; password: string | undefined }

const defaultEmail = 'admin@localhost'

/**
 * Creates organization 1 and its owner when the service has no organization yet. Of several
 * processes that start at the same time, one does it. Without a given password a random one is
 * generated; there is no default.
 *
 * @throws SetupError when the password is among those that attackers try first.
 */
export async function createFirstOrganization(
  { db, now }: Pick<CoreServices, 'db' | 'now'>,
  admin: { email?: string | undefined; password?: string | undefined },
): Promise<FirstStart> {
  if (await hasOrganizations(db)) return { isNew: false }
  const email = admin.email ?? defaultEmail
  const fault = admin.password === undefined ? undefined : findFaultOf(admin.password, email)
  if (fault !== undefined) throw new SetupError(`ADMIN_PASSWORD can't be used. ${fault}`)
  const password = admin.password ?? randomBytes(18).toString('base64url')
  const passwordHash = await hashPassword(password)
  const time = momentOf(now())
  const isNew = await db.transaction(async (tx) => {
    await lockFirstStart(tx)
    if (await hasOrganizations(tx)) return false
    const names = { firstName: 'Admin', lastName: '' }
    // A generated password was shown in a terminal or a log.
    const mustChangePassword = admin.password === undefined
    const owner = { email, passwordHash, mustChangePassword, ...names }
    const ownerUserId = await insertUser(tx, owner, time)
    if (ownerUserId === undefined) throw new Error(`The user ${email} is there already.`)
    await startNumberingAtOne(tx)
    await insertOrganization(tx, { name: 'Organization 1', parentId: undefined, ownerUserId }, time)
    return true
  })
  if (!isNew) return { isNew: false }
  return { isNew: true, email, password: admin.password === undefined ? password : undefined }
}
