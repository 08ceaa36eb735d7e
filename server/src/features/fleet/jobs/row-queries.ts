import type { Queryable } from '../../../db/connect.ts'
import type { Tags } from '../inventory/tags.ts'

/** A device that a row names, with what its type and network decide. */
export interface JobDevice {
  id: number
  eui: string
  type_id: number
  is_console_only: boolean
}

/** Finds devices along the index of EUIs. */
export async function findDevices(
  db: Queryable,
  organizationId: number,
  euis: readonly string[],
): Promise<Map<string, JobDevice>> {
  const devices = await db.query<JobDevice>(
    `select id, eui, type_id, is_console_only from devices
     where organization_id = $1 and eui = any($2) and deleted_at is null`,
    [organizationId, euis],
  )
  return new Map(devices.map((device) => [device.eui, device]))
}

/** The tags of devices by id, locked until the transaction ends. */
export async function lockTags(
  tx: Queryable,
  organizationId: number,
  euis: readonly string[],
): Promise<Map<number, Tags>> {
  const devices = await tx.query<{ id: number; tags: Tags }>(
    `select id, tags from devices
     where organization_id = $1 and eui = any($2) and deleted_at is null
     order by id
     for update`,
    [organizationId, euis],
  )
  return new Map(devices.map(({ id, tags }) => [id, tags]))
}

/** The groups of devices, as one list of ids for each. */
export async function listGroupsOfAll(
  db: Queryable,
  organizationId: number,
  deviceIds: readonly number[],
): Promise<Map<number, number[]>> {
  const rows = await db.query<{ device_id: number; groups: number[] }>(
    `select device_id, array_agg(group_id order by group_id) as groups from grouped_devices
     where organization_id = $1 and device_id = any($2)
     group by device_id`,
    [organizationId, deviceIds],
  )
  return new Map(rows.map(({ device_id, groups }) => [device_id, groups]))
}

export const rowStates = ['waiting', 'done', 'failed', 'cancelled'] as const
export type RowState = (typeof rowStates)[number]

/** What a row says, by name, without secrets. */
export type RowInput = Record<string, unknown>

export interface NewRow {
  number: number
  eui: string | null
  input: RowInput
  sealedSecret: Buffer | null
}

function toGiven(rows: readonly NewRow[]): string {
  const given = rows.map(({ sealedSecret, ...row }) => ({
    ...row,
    secret: sealedSecret?.toString('hex') ?? null,
  }))
  return JSON.stringify(given)
}

/** Rows are many: one statement inserts a portion, for each thousand in some milliseconds. */
export async function insertRows(
  tx: Queryable,
  organizationId: number,
  jobId: number,
  rows: readonly NewRow[],
): Promise<void> {
  await tx.query(
    `with inserted as (
       insert into job_rows (organization_id, job_id, number, state, eui, input, sealed_secret)
       select $1, $2, number, 'waiting', eui, input, decode(secret, 'hex')
       from json_to_recordset($3) as given(number integer, eui text, input jsonb, secret text)
       returning number
     )
     update jobs set total = total + (select count(*) from inserted) where id = $2`,
    [organizationId, jobId, toGiven(rows)],
  )
}

export interface WaitingRow {
  number: number
  eui: string | null
  input: RowInput
  sealed_secret: Buffer | null
}

export function listWaiting(db: Queryable, jobId: number, limit: number): Promise<WaitingRow[]> {
  return db.query<WaitingRow>(
    `select number, eui, input, sealed_secret from job_rows
     where job_id = $1 and state = 'waiting'
     order by number
     limit $2`,
    [jobId, limit],
  )
}

export interface WorkedRow {
  number: number
  state: 'done' | 'failed'
  message: string
  deviceId: number | null
}

/** Stores results. A done row needs its secret no more; a dry run keeps it for the real one. */
export async function storeResults(
  tx: Queryable,
  jobId: number,
  results: readonly WorkedRow[],
): Promise<void> {
  await tx.query(
    `update job_rows set state = given.state, message = given.message,
       device_id = given."deviceId",
       sealed_secret = case when given.state = 'done' and not jobs.is_dry_run
         then null else job_rows.sealed_secret end
     from json_to_recordset($2) as given(
       number integer, state text, message text, "deviceId" bigint
     ), jobs
     where job_rows.job_id = $1 and job_rows.number = given.number and jobs.id = $1`,
    [jobId, JSON.stringify(results)],
  )
}

/** Returns the EUIs that an earlier row of a dry run names too, and would take. */
export async function findRepeated(
  tx: Queryable,
  jobId: number,
  rows: readonly WaitingRow[],
): Promise<Set<string>> {
  const first = rows[0]?.number ?? 0
  const euis = rows.flatMap(({ eui }) => eui ?? [])
  const found = await tx.query<{ eui: string }>(
    `select distinct eui from job_rows
     where job_id = $1 and eui = any($2) and number < $3 and state = 'done'`,
    [jobId, euis, first],
  )
  return new Set(found.map(({ eui }) => eui))
}

export async function cancelRows(tx: Queryable, jobId: number): Promise<void> {
  await tx.query(
    `update job_rows set state = 'cancelled', sealed_secret = null
     where job_id = $1 and state = 'waiting'`,
    [jobId],
  )
}

/** Makes all rows of a dry run wait for the real one. */
export async function resetRows(tx: Queryable, jobId: number): Promise<void> {
  await tx.query(
    `update job_rows set state = 'waiting', message = null, device_id = null where job_id = $1`,
    [jobId],
  )
  await tx.query(
    `update jobs set is_dry_run = false, done = 0, failed = 0, started_at = null where id = $1`,
    [jobId],
  )
}

export interface ListedRow {
  number: number
  state: RowState
  input: RowInput
  message: string | null
  device_id: number | null
}

interface RowRange {
  state: RowState | undefined
  after: number
  limit: number
}

/** Rows in their order: a range of the primary key, or of the index of failed or waiting rows. */
export function listRows(
  db: Queryable,
  organizationId: number,
  jobId: number,
  { state, after, limit }: RowRange,
): Promise<ListedRow[]> {
  return db.query<ListedRow>(
    `select number, state, input, message, device_id from job_rows
     where organization_id = $1 and job_id = $2 and number > $3
       and ($4::text is null or state = $4)
     order by number
     limit $5`,
    [organizationId, jobId, after, state ?? null, limit],
  )
}

export interface FailedRow {
  number: number
  input: RowInput
  sealed_secret: Buffer | null
}

export function findFailed(
  tx: Queryable,
  jobId: number,
  numbers: readonly number[],
): Promise<FailedRow[]> {
  return tx.query<FailedRow>(
    `select number, input, sealed_secret from job_rows
     where job_id = $1 and number = any($2::integer[]) and state = 'failed'`,
    [jobId, numbers],
  )
}

/** Replaces failed rows with those that a person fixed. */
export async function replaceRows(
  tx: Queryable,
  jobId: number,
  rows: readonly NewRow[],
): Promise<void> {
  await tx.query(
    `with fixed as (
       update job_rows set state = 'waiting', eui = given.eui, input = given.input,
         sealed_secret = decode(given.secret, 'hex'), message = null
       from json_to_recordset($2) as given(number integer, eui text, input jsonb, secret text)
       where job_rows.job_id = $1 and job_rows.number = given.number
       returning job_rows.number
     )
     update jobs set failed = failed - (select count(*) from fixed) where id = $1`,
    [jobId, toGiven(rows)],
  )
}

/** Removes the device keys that jobs that ended before still hold for rows to be fixed. */
export async function forgetSecrets(db: Queryable, before: Date): Promise<void> {
  await db.query(
    `update job_rows set sealed_secret = null
     from jobs
     where jobs.id = job_rows.job_id and jobs.finished_at < $1
       and job_rows.sealed_secret is not null`,
    [before],
  )
}
