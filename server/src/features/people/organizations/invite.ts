import type { Queryable } from '../../../db/connect.ts'
import type { Caller, Permission, RecordChange } from '../../../http/endpoint.ts'
import { invalid } from '../../../http/errors.ts'
import { momentOf } from '../../../http/timestamps.ts'
import type { CoreServices } from '../../core-services.ts'
import * as invitationQueries from './invitation-queries.ts'

const lifetimeMilliseconds = 14 * 24 * 3600_000
/** Limits of open invitations. */
const most = { ofOrganization: 100, ofTenant: 1000, ofEmail: 20 }

/**
 * Invites the person with this e-mail address. The steps and the time they take are the same
 * whether a user has the address or not.
 *
 * @throws HttpError 422 on `field` when there are too many open invitations.
 */
export async function invite(
  { db, now }: Pick<CoreServices, 'db' | 'now'>,
  sender: Pick<Caller, 'organizationId' | 'tenantId' | 'userId'>,
  to: {
    email: string
    field: string
    permissions: readonly Permission[]
    group?: number | null
    childName?: string
    record?: RecordChange
  },
) {
  const { organizationId, tenantId, userId } = sender
  const present = now()
  const answer = {
    data: { email: to.email, permissions: [...to.permissions], status: 'invited' as const },
  }
  await db.transaction(async (tx) => {
    const { normal_email: normalEmail } = await invitationQueries.save(tx, organizationId, {
      email: to.email,
      childName: to.childName,
      permissions: to.permissions,
      group: to.group ?? null,
      invitedBy: userId,
      createdAt: momentOf(present),
      expiresAt: momentOf(new Date(present.getTime() + lifetimeMilliseconds)),
    })
    // Accepting locks in the same order, row first, so that the two cannot deadlock.
    await invitationQueries.lockTenant(tx, organizationId)
    const what = { tenantId, normalEmail, now: momentOf(present) }
    const waiting = await invitationQueries.countWaiting(tx, organizationId, what)
    if (waiting.of_email > most.ofEmail) throw tooMany(to.field, 'for this e-mail address')
    if (waiting.of_organization > most.ofOrganization || waiting.of_tenant > most.ofTenant) {
      throw tooMany(to.field, 'of this organization')
    }
    await to.record?.(tx, answer)
  })
  return answer
}

export async function removeExpiredInvitations(db: Queryable, now: Date): Promise<void> {
  await invitationQueries.removeExpired(db, momentOf(now))
}

function tooMany(field: string, what: string) {
  const advice = 'Please withdraw some of them, or wait until they expire.'
  return invalid({ [field]: [`There are too many pending invitations ${what}. ${advice}`] })
}
