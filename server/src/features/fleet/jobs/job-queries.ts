import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import type { JobKind } from './job-kinds.ts'

export const jobStates = ['receiving', 'queued', 'running', 'done', 'cancelled'] as const
export type JobState = (typeof jobStates)[number]

export interface StoredJob {
  id: number
  organization_id: number
  tenant_id: number
  user_id: number
  user_name: string
  kind: JobKind
  state: JobState
  is_dry_run: boolean
  title: string | null
  settings: Record<string, unknown>
  message: string | null
  total: number
  done: number
  failed: number
  created_at: Moment
  started_at: Moment | null
  finished_at: Moment | null
}

const columns = `jobs.id, jobs.organization_id, organizations.tenant_id, jobs.user_id,
  trim(users.first_name || ' ' || users.last_name) as user_name, jobs.kind, jobs.state,
  jobs.is_dry_run, jobs.title, jobs.settings, jobs.message, jobs.total, jobs.done, jobs.failed,
  jobs.created_at, jobs.started_at, jobs.finished_at`
const joins = `join users on users.id = jobs.user_id
  join organizations on organizations.id = jobs.organization_id`

/** The states in which a job is not over. */
const open = `('receiving', 'queued', 'running')`

interface NewJob {
  userId: number
  kind: JobKind
  isDryRun: boolean
  title: string | null
  settings: Record<string, unknown>
  now: Date
}

export async function insertJob(
  tx: Queryable,
  organizationId: number,
  { userId, kind, isDryRun, title, settings, now }: NewJob,
): Promise<number> {
  const rows = await tx.query<{ id: number }>(
    `insert into jobs (
       organization_id, user_id, kind, state, is_dry_run, title, settings, created_at
     )
     values ($1, $2, $3, 'receiving', $4, $5, $6, $7)
     returning id`,
    [organizationId, userId, kind, isDryRun, title, JSON.stringify(settings), now],
  )
  if (!rows[0]) throw new Error('the database returned no row for a new job')
  return rows[0].id
}

export async function findJob(
  db: Queryable,
  organizationId: number,
  id: number,
): Promise<StoredJob | undefined> {
  const rows = await db.query<StoredJob>(
    `select ${columns} from jobs ${joins} where jobs.organization_id = $1 and jobs.id = $2`,
    [organizationId, id],
  )
  return rows[0]
}

/** Like `findJob`, and keeps the runner and other requests from the job until the commit. */
export async function lockJob(
  tx: Queryable,
  organizationId: number,
  id: number,
): Promise<StoredJob | undefined> {
  await tx.query('select id from jobs where organization_id = $1 and id = $2 for update', [
    organizationId,
    id,
  ])
  return findJob(tx, organizationId, id)
}

/** Jobs below the id `before`, newest first: one range of the index, whatever lies behind it. */
export function listJobs(
  db: Queryable,
  organizationId: number,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<StoredJob[]> {
  return db.query<StoredJob>(
    `select ${columns} from jobs ${joins}
     where jobs.organization_id = $1 and jobs.id < $2
     order by jobs.id desc
     limit $3`,
    [organizationId, before ?? Number.MAX_SAFE_INTEGER, limit],
  )
}

/** An organization has some thousands of jobs at most: they are kept for 30 days. */
export async function countJobs(db: Queryable, organizationId: number): Promise<number> {
  const rows = await db.query<{ count: number }>(
    'select count(*) from jobs where organization_id = $1',
    [organizationId],
  )
  return rows[0]?.count ?? 0
}

interface OpenWork {
  jobs: number
  rows: number
  /** Of all organizations of its tenant. */
  rows_of_tenant: number
}

/** What an organization has in jobs that are not over. */
export async function countOpen(db: Queryable, organizationId: number): Promise<OpenWork> {
  const rows = await db.query<OpenWork>(
    `select count(*) filter (where jobs.organization_id = $1) as jobs,
       coalesce(sum(jobs.total - jobs.done - jobs.failed)
         filter (where jobs.organization_id = $1), 0)::bigint as rows,
       coalesce(sum(jobs.total - jobs.done - jobs.failed), 0)::bigint as rows_of_tenant
     from organizations as mine
     join organizations on organizations.tenant_id = mine.tenant_id
     join jobs on jobs.organization_id = organizations.id
     where mine.id = $1 and jobs.state in ${open}`,
    [organizationId],
  )
  return rows[0] ?? { jobs: 0, rows: 0, rows_of_tenant: 0 }
}

/** Makes a job wait for the runner, again if it was over. */
export async function queueJob(tx: Queryable, id: number): Promise<void> {
  await tx.query(
    `update jobs set state = 'queued', finished_at = null, message = null, worked_at = null,
       waits_since = null
     where id = $1`,
    [id],
  )
}

/** Ends a locked job. Its waiting rows are marked by `cancelRows`. */
export async function endJob(
  tx: Queryable,
  id: number,
  { state, message, now }: { state: 'done' | 'cancelled'; message?: string; now: Date },
): Promise<void> {
  await tx.query('update jobs set state = $2, message = $3, finished_at = $4 where id = $1', [
    id,
    state,
    message ?? null,
    now,
  ])
}

/** Jobs that take over wait for a network, and so have turns of their own. */
interface Turn {
  takesOver: boolean
  now: Date
}

/** SQL: whether it is a job's turn. */
const hasTurn = (takesOver: string, now: string) => `jobs.state in ('queued', 'running')
  and (jobs.kind = 'take_over') = ${takesOver}
  and (jobs.worked_at is null or jobs.worked_at <= ${now})`

/** The organizations that have work. The index holds only open jobs, so it is small. */
export function listWithWork(
  db: Queryable,
  { takesOver, now }: Turn,
): Promise<{ tenant_id: number; organization_id: number }[]> {
  return db.query<{ tenant_id: number; organization_id: number }>(
    `select distinct organizations.tenant_id, jobs.organization_id from jobs
     join organizations on organizations.id = jobs.organization_id
     where ${hasTurn('$1', '$2')}`,
    [takesOver, now],
  )
}

/** The job whose turn it is: the one that has waited longest since its last portion. */
export async function findNextJob(
  db: Queryable,
  organizationId: number,
  { takesOver, now }: Turn,
): Promise<StoredJob | undefined> {
  const rows = await db.query<StoredJob>(
    `select ${columns} from jobs ${joins}
     where jobs.organization_id = $1 and ${hasTurn('$2', '$3')}
     order by jobs.worked_at nulls first, jobs.id
     limit 1`,
    [organizationId, takesOver, now],
  )
  return rows[0]
}

/** Keeps other processes from a job until then, or until it is worked; false when one has it. */
export async function claimJob(
  db: Queryable,
  id: number,
  { now, until }: { now: Date; until: Date },
): Promise<boolean> {
  const rows = await db.query(
    `update jobs set worked_at = $3
     where id = $1 and state in ('queued', 'running') and (worked_at is null or worked_at <= $2)
     returning id`,
    [id, now, until],
  )
  return rows.length > 0
}

/**
 * Leaves a job until then. `waits` says why, and since when at the latest; returns since when it has
 * waited in a row.
 */
export async function putOff(
  db: Queryable,
  id: number,
  { until, waits }: { until: Date; waits?: { message: string; since: Date } | undefined },
): Promise<Moment | undefined> {
  const rows = await db.query<{ waits_since: Moment | null }>(
    `update jobs set worked_at = $2, message = coalesce($3, message),
       waits_since = coalesce(waits_since, $4)
     where id = $1 and state in ('queued', 'running')
     returning waits_since`,
    [id, until, waits?.message ?? null, waits?.since ?? null],
  )
  return rows[0]?.waits_since ?? undefined
}

/** Locks a job that is to be worked on; false when another process has it, or it is over. */
export async function takeJob(tx: Queryable, id: number): Promise<boolean> {
  const rows = await tx.query(
    `select id from jobs where id = $1 and state in ('queued', 'running')
     for update skip locked`,
    [id],
  )
  return rows.length > 0
}

/** Counts a portion that was worked. */
export async function notePortion(
  tx: Queryable,
  id: number,
  { done, failed, now }: { done: number; failed: number; now: Date },
): Promise<void> {
  await tx.query(
    `update jobs set state = 'running', done = done + $2, failed = failed + $3, worked_at = $4,
       started_at = coalesce(started_at, $4), message = null, waits_since = null
     where id = $1`,
    [id, done, failed, now],
  )
}

/** Deletes old jobs with their rows, and what is left of abandoned transfers. */
export async function removeOld(
  db: Queryable,
  { before, abandonedBefore, limit }: { before: Date; abandonedBefore: Date; limit: number },
): Promise<number> {
  const rows = await db.query(
    `delete from jobs where id in (
       select id from jobs
       where created_at < $1 and state in ('done', 'cancelled')
         or created_at < $2 and state = 'receiving'
       order by id
       limit $3
     ) returning id`,
    [before, abandonedBefore, limit],
  )
  return rows.length
}
