import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'

/** The stored JSON; undefined where nothing is stored. */
export async function findPreferences(
  db: Queryable,
  organizationId: number,
  userId: number,
): Promise<string | undefined> {
  const rows = await db.query<{ preferences: string }>(
    'select preferences from user_preferences where organization_id = $1 and user_id = $2',
    [organizationId, userId],
  )
  return rows[0]?.preferences
}

/** Changes by the same member wait for each other, also before anything is stored. */
export async function lockPreferences(
  tx: Queryable,
  organizationId: number,
  userId: number,
): Promise<string | undefined> {
  await tx.query(
    'select 1 from members where organization_id = $1 and user_id = $2 for no key update',
    [organizationId, userId],
  )
  return findPreferences(tx, organizationId, userId)
}

/** Stores the JSON; false when the user is no member any more. */
export async function savePreferences(
  db: Queryable,
  organizationId: number,
  userId: number,
  preferences: string,
  now: Moment,
): Promise<boolean> {
  const rows = await db.query(
    `insert into user_preferences (organization_id, user_id, preferences, updated_at)
     select members.organization_id, members.user_id, $3, $4 from members
     where members.organization_id = $1 and members.user_id = $2 for key share
     on conflict (organization_id, user_id)
     do update set preferences = excluded.preferences, updated_at = excluded.updated_at
     returning user_id`,
    [organizationId, userId, preferences, now],
  )
  return rows.length > 0
}
