import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'

export async function requiresTwoFactor(db: Queryable, organizationId: number): Promise<boolean> {
  const [row] = await db.query<{ is_required: boolean }>(
    'select requires_two_factor as is_required from organizations where id = $1',
    [organizationId],
  )
  return row?.is_required ?? false
}

export async function requireTwoFactor(
  db: Queryable,
  organizationId: number,
  isRequired: boolean,
): Promise<void> {
  await db.query('update organizations set requires_two_factor = $2 where id = $1', [
    organizationId,
    isRequired,
  ])
}

export async function lacksTwoFactor(db: Queryable, userId: number): Promise<boolean> {
  return (await db.query('select from two_factors where user_id = $1', [userId])).length === 0
}

/**
 * Ends the access of a member's sessions to this organization. The sessions themselves end if the
 * person belongs to no other one: no organization logs anybody out of another. False when there is no
 * such member.
 */
export async function endMemberSessions(
  tx: Queryable,
  organizationId: number,
  userId: number,
  now: Moment,
): Promise<boolean> {
  const members = await tx.query(
    `update members set sessions_ended_at = $3
     where organization_id = $1 and user_id = $2
     returning user_id`,
    [organizationId, userId, now],
  )
  if (members.length === 0) return false
  await tx.query(
    `update sessions set ended_at = $3
     where user_id = $2 and ended_at is null and not exists (
       select from members where members.user_id = $2 and members.organization_id <> $1
     )`,
    [organizationId, userId, now],
  )
  return true
}
