import type { Queryable } from '../../../db/connect.ts'

const keptMilliseconds = 366 * 24 * 60 * 60 * 1000
/** Moves that one statement deletes. */
const limit = 1_000

/** Keeps moves for a year after their end. There are few: a device has one at a time. */
export async function removeOldMoves(db: Queryable, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptMilliseconds)
  const organizations = await db.query<{ organization_id: number }>(
    'select distinct organization_id from device_moves where finished_at < $1',
    [before],
  )
  for (const { organization_id } of organizations) {
    while ((await removeSome(db, organization_id, before)) === limit) {}
  }
}

async function removeSome(db: Queryable, organizationId: number, before: Date): Promise<number> {
  const rows = await db.query(
    `delete from device_moves
     where organization_id = $1 and id in (
       select id from device_moves
       where organization_id = $1 and finished_at < $2
       order by id
       limit $3
     )
     returning id`,
    [organizationId, before, limit],
  )
  return rows.length
}
