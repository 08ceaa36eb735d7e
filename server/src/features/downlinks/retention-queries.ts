import type { Queryable } from '../../db/connect.ts'

const keptMilliseconds = 366 * 24 * 60 * 60 * 1000
/** Downlinks that one statement deletes. */
const limit = 2_000

/** Keeps downlinks and their history for a year after their end. */
export async function removeOldDownlinks(
  db: Queryable,
  now: Date,
  isStopped = () => false,
): Promise<void> {
  const before = new Date(now.getTime() - keptMilliseconds)
  while (!isStopped()) {
    const found = await listWithOld(db, before)
    if (found.length === 0) return
    for (const organizationId of found) await removeSome(db, organizationId, before)
  }
}

/** Some organizations that have old downlinks: the old end of an index. */
async function listWithOld(db: Queryable, before: Date): Promise<number[]> {
  const rows = await db.query<{ organization_id: number }>(
    `select distinct organization_id from (
       select organization_id from downlinks where closed_at < $1 order by closed_at limit $2
     ) as old`,
    [before, limit],
  )
  return rows.map(({ organization_id }) => organization_id)
}

async function removeSome(db: Queryable, organizationId: number, before: Date): Promise<void> {
  await db.query(
    // Chosen once, whatever the planner knows of the table.
    `with chosen as materialized (
       select id from downlinks
       where organization_id = $1 and closed_at < $2
       order by closed_at
       limit $3
     ), gone as (
       delete from downlinks using chosen
       where downlinks.organization_id = $1 and downlinks.id = chosen.id
       returning downlinks.id
     )
     delete from downlink_history using gone
     where downlink_history.organization_id = $1 and downlink_history.downlink_id = gone.id`,
    [organizationId, before, limit],
  )
}
