import type { Queryable } from '../../../db/connect.ts'
import { type RequestCount, windowMilliseconds } from '../../../http/rate-limit.ts'

/**
 * Adds the requests that a server process has counted, and returns the counts of all processes. A
 * new minute replaces one that is over.
 */
export async function addRequestCounts(
  db: Queryable,
  counts: readonly RequestCount[],
): Promise<RequestCount[]> {
  // Always in this order, to prevent deadlocks.
  const sorted = counts.toSorted((one, other) => (one.key < other.key ? -1 : 1))
  const rows = await db.query<{ subject: string; started_at: number; count: number }>(
    `insert into request_counts as known (subject, started_at, count)
     select * from unnest($1::text[], $2::bigint[], $3::bigint[])
     on conflict (subject) do update set
       started_at = case when known.started_at + $4 <= excluded.started_at
         then excluded.started_at else known.started_at end,
       count = excluded.count
         + case when known.started_at + $4 <= excluded.started_at then 0 else known.count end
     returning subject, started_at, count`,
    [
      sorted.map(({ key }) => key),
      sorted.map(({ start }) => start),
      sorted.map(({ count }) => count),
      windowMilliseconds,
    ],
  )
  return rows.map(({ subject, started_at, count }) => ({ key: subject, start: started_at, count }))
}

/** Removes the counts of minutes that are over. */
export async function removeOldCounts(db: Queryable, now: Date): Promise<void> {
  await db.query('delete from request_counts where started_at < $1', [
    now.getTime() - windowMilliseconds,
  ])
}
