import { randomUUID } from 'node:crypto'
import type { Queryable } from '../../../db/connect.ts'
import { living, type Presence } from '../../../db/presence.ts'
import type { Moment } from '../../../http/timestamps.ts'
import {
  combineFormats,
  type Formats,
  type SomeFormats,
  type SomeOwnFormats,
} from '../../../lora/formats.ts'
import type { Selectors } from './report-data.ts'
import type { Calendar, Period } from './report-period.ts'

/** What a member chooses. */
export interface ReportValues {
  name: string
  period: Period
  /** Empty where it is about a dashboard. */
  series: Selectors
  /** The id of a dashboard, also of one that is made by itself. */
  dashboard: string | null
  recipients: number[]
  is_active: boolean
}

export interface StoredReport extends ReportValues {
  organization_id: number
  id: number
  next_at: Moment
  asked_at: Moment | null
  sent_at: Moment | null
  failure: string | null
  created_at: Moment
  updated_at: Moment
}

const columns = `organization_id, id, name, period, series, dashboard, recipients, is_active, next_at, asked_at,
  sent_at, failure, created_at, updated_at`

export function list(db: Queryable, organizationId: number): Promise<StoredReport[]> {
  return db.query<StoredReport>(
    `select ${columns} from reports where organization_id = $1 order by id`,
    [organizationId],
  )
}

export async function find(
  db: Queryable,
  organizationId: number,
  id: number,
): Promise<StoredReport | undefined> {
  const rows = await db.query<StoredReport>(
    `select ${columns} from reports where organization_id = $1 and id = $2`,
    [organizationId, id],
  )
  return rows[0]
}

/** Locks the organization's reports against others that are added at once, and counts them. */
export async function countLocked(tx: Queryable, organizationId: number): Promise<number> {
  await tx.query('select from organizations where id = $1 for no key update', [organizationId])
  const rows = await tx.query<{ count: number }>(
    'select count(*) from reports where organization_id = $1',
    [organizationId],
  )
  return rows[0]?.count ?? 0
}

type Written = ReportValues & { nextAt: Date; now: Date }

export async function insert(
  tx: Queryable,
  organizationId: number,
  report: Written & { userId: number },
): Promise<StoredReport> {
  const rows = await tx.query<StoredReport>(
    `insert into reports (
       organization_id, user_id, created_at, updated_at, name, period, series, recipients, is_active,
       next_at, dashboard
     ) values ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9, $10)
     returning ${columns}`,
    [organizationId, report.userId, ...valuesOf(report)],
  )
  return rows[0] as StoredReport
}

/** What waits for another attempt begins again. */
export async function update(
  tx: Queryable,
  organizationId: number,
  id: number,
  report: Written,
): Promise<StoredReport | undefined> {
  const rows = await tx.query<StoredReport>(
    `update reports
     set updated_at = $3, name = $4, period = $5, series = $6, recipients = $7, is_active = $8,
       next_at = $9, dashboard = $10, retry_at = null, attempts = 0
     where organization_id = $1 and id = $2
     returning ${columns}`,
    [organizationId, id, ...valuesOf(report)],
  )
  return rows[0]
}

function valuesOf(report: Written) {
  const { now, name, period, series, recipients, is_active, nextAt, dashboard } = report
  return [now, name, period, JSON.stringify(series), recipients, is_active, nextAt, dashboard]
}

export async function remove(tx: Queryable, organizationId: number, id: number): Promise<boolean> {
  const rows = await tx.query(
    'delete from reports where organization_id = $1 and id = $2 returning id',
    [organizationId, id],
  )
  return rows.length > 0
}

/** Asks for the report of the last period, whether or not it was sent. */
export async function ask(
  tx: Queryable,
  organizationId: number,
  { id, now }: { id: number; now: Date },
): Promise<StoredReport | undefined> {
  const rows = await tx.query<StoredReport>(
    `update reports set asked_at = $3, retry_at = null, attempts = 0
     where organization_id = $1 and id = $2
     returning ${columns}`,
    [organizationId, id, now],
  )
  return rows[0]
}

/** The organization's time zone and first day of the week, and its name. */
export async function findCalendar(
  db: Queryable,
  organizationId: number,
): Promise<Calendar & { organization: string }> {
  const [row] = await db.query<{ name: string; time_zone: string; formats: SomeFormats }>(
    'select name, timezone_format as time_zone, formats from organizations where id = $1',
    [organizationId],
  )
  return {
    organization: row?.name ?? '',
    timeZone: row?.time_zone ?? 'UTC',
    weekStart: combineFormats({}, row?.formats ?? {}).week_start,
  }
}

export interface DueReport {
  organization_id: number
  id: number
  tenant_id: number
}

const isDue = (now: string) => `(
    (reports.is_active and reports.next_at <= ${now}) or reports.asked_at is not null
  ) and (reports.retry_at is null or reports.retry_at <= ${now})
  and (reports.claimed_until is null or reports.claimed_until < statement_timestamp()
    or (reports.claimed_by is not null and reports.claimed_by::text not in ${living}))`

/** The oldest report of each tenant. */
export function listDue(db: Queryable, now: Date): Promise<DueReport[]> {
  return db.query<DueReport>(
    `select distinct on (organizations.tenant_id) reports.organization_id, reports.id,
       organizations.tenant_id
     from reports join organizations on organizations.id = reports.organization_id
     where ${isDue('$1')}
     order by organizations.tenant_id, coalesce(reports.asked_at, reports.next_at), reports.id
     limit 100`,
    [now],
  )
}

/** A report that only this process sends. */
export interface ClaimedReport extends StoredReport {
  claim: string
  /** Members who have this one already. */
  told: number[]
  attempts: number
}

/** Longer than all mails of a report take. */
const claimSeconds = 1800

export async function claim(
  db: Queryable,
  { organization_id, id }: DueReport,
  { now, presence }: { now: Date; presence: Presence },
): Promise<ClaimedReport | undefined> {
  const rows = await db.query<ClaimedReport>(
    `update reports
     set claim = $4, claimed_by = $5,
       claimed_until = statement_timestamp() + make_interval(secs => ${claimSeconds})
     where organization_id = $1 and id = $2 and ${isDue('$3')}
     returning ${columns}, claim, told, attempts`,
    [organization_id, id, now, randomUUID(), presence.id],
  )
  return rows[0]
}

export interface Recipient {
  id: number
  email: string
  formats: Formats
}

/** Those who are members of the whole organization: a report may be about any device. */
export async function listRecipients(
  db: Queryable,
  organizationId: number,
  userIds: readonly number[],
): Promise<Recipient[]> {
  const rows = await db.query<{
    id: number
    email: string
    own: SomeOwnFormats
    formats: SomeFormats
  }>(
    `select users.id, users.email, users.formats as own, organizations.formats
     from members
     join users on users.id = members.user_id
     join organizations on organizations.id = members.organization_id
     where members.organization_id = $1 and members.user_id = any($2::bigint[])
       and (members.is_owner or members.group_id is null)
     order by users.id`,
    [organizationId, userIds],
  )
  return rows.map(({ id, email, own, formats }) => ({
    id,
    email,
    formats: combineFormats(own, formats),
  }))
}

/** Notes that a member has it, so that a repetition does not send it twice. */
export async function noteTold(db: Queryable, report: ClaimedReport, userId: number) {
  await db.query(
    `update reports set told = told || $4::bigint
     where organization_id = $1 and id = $2 and claim = $3`,
    [report.organization_id, report.id, report.claim, userId],
  )
}

export async function postpone(
  db: Queryable,
  report: ClaimedReport,
  { failure, next }: { failure: string; next: Date },
): Promise<void> {
  await db.query(
    `update reports
     set attempts = attempts + 1, failure = $4, retry_at = $5, claim = null, claimed_by = null,
       claimed_until = null
     where organization_id = $1 and id = $2 and claim = $3`,
    [report.organization_id, report.id, report.claim, failure, next],
  )
}

/** It is sent, or given up; `failure` says what did not arrive. */
export async function finish(
  db: Queryable,
  report: ClaimedReport,
  { failure, nextAt, now }: { failure: string | null; nextAt: Date; now: Date },
): Promise<void> {
  await db.query(
    `update reports
     set attempts = 0, retry_at = null, told = '{}', next_at = $5, failure = $4,
       asked_at = case when asked_at > $7 then asked_at end,
       sent_at = case when cardinality(told) > 0 then $6 else sent_at end,
       claim = null, claimed_by = null, claimed_until = null
     where organization_id = $1 and id = $2 and claim = $3`,
    [
      ...[report.organization_id, report.id, report.claim, failure, nextAt, now],
      report.asked_at ?? report.next_at,
    ],
  )
}
