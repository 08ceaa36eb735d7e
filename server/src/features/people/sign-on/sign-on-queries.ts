import type { Queryable } from '../../../db/connect.ts'
import type { Permission } from '../../../http/endpoint.ts'
import type { Moment } from '../../../http/timestamps.ts'

interface Identity {
  issuer: string
  subject: string
}

export async function findUserOf(
  db: Queryable,
  { issuer, subject }: Identity,
): Promise<number | undefined> {
  const rows = await db.query<{ user_id: number }>(
    'select user_id from sign_on_identities where issuer = $1 and subject = $2',
    [issuer, subject],
  )
  return rows[0]?.user_id
}

/** False when the user is somebody else there already, or another user is this somebody. */
export async function link(
  tx: Queryable,
  { issuer, subject }: Identity,
  userId: number,
  now: Moment,
): Promise<boolean> {
  const rows = await tx.query(
    `insert into sign_on_identities (issuer, subject, user_id, linked_at) values ($1, $2, $3, $4)
     on conflict do nothing returning user_id`,
    [issuer, subject, userId, now],
  )
  return rows.length > 0
}

/** Whether the user owns organization 1, the operator's own. */
export async function isOperator(db: Queryable, userId: number): Promise<boolean> {
  const rows = await db.query(
    'select from members where organization_id = 1 and user_id = $1 and is_owner',
    [userId],
  )
  return rows.length > 0
}

/** Organizations of the list that there are, with what the user is there; null: no member. */
export async function listStandings(
  tx: Queryable,
  userId: number,
  organizationIds: readonly number[],
): Promise<{ id: number; is_owner: boolean | null; permissions: Permission[] | null }[]> {
  return tx.query(
    `select organizations.id, members.is_owner, members.permissions
     from organizations
     left join members on members.organization_id = organizations.id and members.user_id = $1
     where organizations.id = any($2) and organizations.deletion_id is null
     order by organizations.id`,
    [userId, organizationIds],
  )
}
