import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'

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

export async function deleteStaleFailures(db: Queryable, before: Moment): Promise<void> {
  await db.query(
    'delete from login_failures where window_started_at <= $1 and blocked_until <= $1',
    [before],
  )
}
