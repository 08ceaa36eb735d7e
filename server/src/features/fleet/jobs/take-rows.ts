import type { Queryable } from '../../../db/connect.ts'
import { conflict, invalid } from '../../../http/errors.ts'
import { mostRows } from './job-body.ts'
import type { JobKind } from './job-kinds.ts'
import * as jobQueries from './job-queries.ts'
import type { JobServices } from './portion.ts'
import { insertRows } from './row-queries.ts'
import { toNewRow } from './sent-rows.ts'

/** Jobs of an organization that are not over. */
const mostOpenJobs = 10
/** Rows that wait in an organization, and in all of its tenant. */
const mostWaiting = 200_000
const mostWaitingOfTenant = 300_000
/** Rows of one statement. */
const insertedAtOnce = 5000

/** Throws the 409 when too much waits already. */
export async function checkRoom(
  tx: Queryable,
  organizationId: number,
  added: { jobs: number; rows: number },
): Promise<void> {
  const open = await jobQueries.countOpen(tx, organizationId)
  if (open.jobs + added.jobs > mostOpenJobs) {
    throw conflict(
      `Your organization has ${mostOpenJobs} running jobs: wait for one, or cancel one.`,
    )
  }
  if (
    open.rows + added.rows > mostWaiting ||
    open.rows_of_tenant + added.rows > mostWaitingOfTenant
  ) {
    throw conflict(
      'The jobs of your organizations have too many open rows. Please wait until some are done.',
    )
  }
}

/** Adds rows to a locked job that is receiving, and begins it after the last ones. */
export async function takeRows(
  tx: Queryable,
  { sealer }: JobServices,
  organizationId: number,
  job: { id: number; kind: JobKind; total: number },
  sent: { rows: readonly unknown[]; more: boolean },
): Promise<void> {
  const total = job.total + sent.rows.length
  if (total > mostRows) {
    throw invalid({ rows: [`A job may not have more than ${mostRows} rows.`] })
  }
  for (let first = 0; first < sent.rows.length; first += insertedAtOnce) {
    const portion = sent.rows.slice(first, first + insertedAtOnce)
    const rows = portion.map((row, index) => {
      const number = job.total + first + index + 1
      return toNewRow(sealer, { jobId: job.id, kind: job.kind, number }, row)
    })
    await insertRows(tx, organizationId, job.id, rows)
  }
  if (sent.more) return
  if (total === 0) throw invalid({ rows: ['The job has no rows.'] })
  await jobQueries.queueJob(tx, job.id)
}

/** Reads the record of a job in the transaction that changed it. */
export async function readJob(
  tx: Queryable,
  organizationId: number,
  id: number,
): Promise<jobQueries.StoredJob> {
  const job = await jobQueries.findJob(tx, organizationId, id)
  if (!job) throw new Error(`job ${id} is gone right after it was changed`)
  return job
}
