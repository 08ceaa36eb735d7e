import { type ChangeRecord, changeBy, dataOf, textOf } from '../../http/change-record.ts'
import type { Permission, RecordChange } from '../../http/endpoint.ts'
import { momentOf } from '../../http/timestamps.ts'
import type { CoreServices } from '../core-services.ts'
import { insertUser, type NewUser } from '../users/user-queries.ts'
import { removeOfMember } from './invitation-queries.ts'
import { findMember, insertMember, type Member } from './member-queries.ts'

/**
 * Makes somebody new a user and a member at once. Undefined when another request has just taken the
 * e-mail address.
 */
export function makeMember(
  { db, now }: Pick<CoreServices, 'db' | 'now'>,
  organizationId: number,
  user: NewUser,
  rights: { permissions: readonly Permission[]; group: number | null },
  record?: RecordChange,
): Promise<Member | undefined> {
  const time = momentOf(now())
  return db.transaction(async (tx) => {
    const userId = await insertUser(tx, user, time)
    if (userId === undefined) return undefined
    await insertMember(tx, organizationId, { userId, ...rights }, time)
    await removeOfMember(tx, organizationId, user.email)
    await record?.(tx, { data: { id: userId, email: user.email } })
    return findMember(tx, organizationId, userId)
  })
}

/** Somebody is new at once, or is invited first. */
export function joiningChange(
  action: 'added' | 'created',
  kind: 'member' | 'organization',
): ChangeRecord {
  return changeBy((done) => {
    const { email, name, id, status } = dataOf(done)
    const isInvited = status === 'invited'
    const subject = isInvited ? undefined : textOf(id)
    const words = kind === 'member' ? email : (done.body.name ?? name)
    return { kind, action: isInvited ? 'invited' : action, subject, name: textOf(words) }
  })
}
