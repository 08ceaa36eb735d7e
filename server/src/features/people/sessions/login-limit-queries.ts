import type { Queryable } from '../../../db/connect.ts'
import { type RequestCount, windowMilliseconds } from '../../../http/rate-limit.ts'
import type { Moment } from '../../../http/timestamps.ts'

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

/** The failed logins of one subject. */
export interface FailureRow {
  /** Failures in the current window. */
  failures: number
  /** Failures since the last success, or since the subject was last removed. */
  consecutive_failures: number
  window_started_at: Moment
  blocked_until: Moment
}

/** The latest time until which any of the subjects is blocked; undefined when none is. */
export async function findBlock(
  db: Queryable,
  subjects: readonly string[],
  now: Moment,
): Promise<Moment | undefined> {
  const rows = await db.query<{ blocked_until: Moment | null }>(
    `select max(blocked_until) as blocked_until from login_failures
     where subject = any($1) and blocked_until > $2`,
    [subjects, now],
  )
  return rows[0]?.blocked_until ?? undefined
}

/** The subject's row, created when missing and locked until the transaction ends. */
export async function lockFailures(
  tx: Queryable,
  subject: string,
  now: Moment,
): Promise<FailureRow | undefined> {
  const rows = await tx.query<FailureRow>(
    `insert into login_failures
       (subject, failures, consecutive_failures, window_started_at, blocked_until)
     values ($1, 0, 0, $2, $2)
     on conflict (subject) do update set subject = excluded.subject
     returning failures, consecutive_failures, window_started_at, blocked_until`,
    [subject, now],
  )
  return rows[0]
}

export async function saveFailures(tx: Queryable, subject: string, row: FailureRow): Promise<void> {
  await tx.query(
    `update login_failures
     set failures = $2, consecutive_failures = $3, window_started_at = $4, blocked_until = $5
     where subject = $1`,
    [subject, row.failures, row.consecutive_failures, row.window_started_at, row.blocked_until],
  )
}

/** Removes the failures of a subject that is not blocked. */
export async function clearFailures(db: Queryable, subject: string, now: Moment): Promise<void> {
  await db.query('delete from login_failures where subject = $1 and blocked_until <= $2', [
    subject,
    now,
  ])
}

/** `blocked_until` is never before the last failure. */
export async function deleteStaleFailures(db: Queryable, before: Moment): Promise<void> {
  await db.query('delete from login_failures where blocked_until <= $1', [before])
}
