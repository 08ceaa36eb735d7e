import { z } from 'zod'
import { queryChoice, queryInteger } from '../../http/fields.ts'
import { endpoint } from '../core-services.ts'
import { findJob, type StoredJob } from './job-queries.ts'
import { jobNotFound, jobPath, listEnd, rowRecord, toRowRecord } from './job-record.ts'
import { listRows, type RowState, rowStates } from './row-queries.ts'

export const listJobRows = endpoint({
  summary: 'What became of each row of a job',
  params: jobPath,
  query: z.object({
    status: queryChoice('status', rowStates).optional(),
    after: queryInteger('after', { min: 0, fallback: 0 }).describe('The number of a row.'),
    limit: queryInteger('limit', { min: 1, max: 1000, fallback: 100 }),
  }),
  answer: z.object({
    data: z.array(rowRecord),
    ...listEnd,
  }),
  failures: [404],
  async handle({ params, query, caller: { organizationId } }, { db }) {
    const job = await findJob(db, organizationId, params.job_id)
    if (!job) throw jobNotFound()
    const { status: state, after, limit } = query
    const rows = await listRows(db, organizationId, job.id, { state, after, limit })
    const last = rows.length < limit ? undefined : rows.at(-1)
    return {
      data: rows.map(toRowRecord),
      total: countRows(job, state),
      after: last?.number ?? null,
    }
  },
})

/** From the counts of the job: its rows are not counted for each page. */
function countRows(job: StoredJob, state: RowState | undefined): number {
  const rest = job.total - job.done - job.failed
  const isCancelled = job.state === 'cancelled'
  const counts: Record<RowState, number> = {
    waiting: isCancelled ? 0 : rest,
    done: job.done,
    failed: job.failed,
    cancelled: isCancelled ? rest : 0,
  }
  return state === undefined ? job.total : counts[state]
}
