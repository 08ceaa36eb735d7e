import { z } from 'zod'
import { endpoint } from '../core-services.ts'
import { mustBeAllowed } from './job-kinds.ts'
import { endJob, lockJob } from './job-queries.ts'
import { jobChange, jobNotFound, jobPath, jobRecord, toJobRecord } from './job-record.ts'
import { announceJob } from './job-runner.ts'
import { cancelRows } from './row-queries.ts'
import { readJob } from './take-rows.ts'

export const cancelJob = endpoint({
  summary: 'Cancel what a job has not begun',
  description: 'Rows that are done stay done. A job that is over stays as it is.',
  params: jobPath,
  answer: z.object({ data: jobRecord }),
  failures: [404],
  change: jobChange('cancelled'),
  async handle({ params, caller, record }, { db, now, signals }) {
    const { organizationId } = caller
    const job = await db.transaction(async (tx) => {
      const found = await lockJob(tx, organizationId, params.job_id)
      if (!found) throw jobNotFound()
      mustBeAllowed(found.kind, caller)
      if (found.state === 'done' || found.state === 'cancelled') return found
      await cancelRows(tx, found.id)
      const message = 'It was cancelled by a member.'
      await endJob(tx, found.id, { state: 'cancelled', message, now: now() })
      const cancelled = await readJob(tx, organizationId, found.id)
      await record(tx, { data: toJobRecord(cancelled) })
      return cancelled
    })
    announceJob({ signals }, job)
    return { data: toJobRecord(job) }
  },
})
