import { z } from 'zod'
import { conflict } from '../../http/errors.ts'
import { endpoint } from '../core-services.ts'
import { mustBeAllowed } from './job-kinds.ts'
import { lockJob, queueJob } from './job-queries.ts'
import { jobChange, jobNotFound, jobPath, jobRecord, toJobRecord } from './job-record.ts'
import { announceJob, type JobServicesWithRunner } from './job-runner.ts'
import { resetRows } from './row-queries.ts'
import { checkRoom, readJob } from './take-rows.ts'

export const startJob = endpoint({
  summary: 'Do what a dry run has shown, or begin with the rows that were sent so far',
  description:
    'The rows of a dry run are not sent again: all of them are worked, and have new results. A job that is under way already goes on.',
  params: jobPath,
  answer: z.object({ data: jobRecord }),
  failures: [404, 409],
  change: jobChange('started'),
  async handle({ params, caller, record }, services: JobServicesWithRunner) {
    const { organizationId } = caller
    const job = await services.db.transaction(async (tx) => {
      const found = await lockJob(tx, organizationId, params.job_id)
      if (!found) throw jobNotFound()
      mustBeAllowed(found.kind, caller)
      const isShown = found.state === 'done' && found.is_dry_run
      if (found.state === 'queued' || found.state === 'running') return found
      if (found.state !== 'receiving' && !isShown) throw conflict('The job is over.')
      if (found.total === 0) throw conflict('The job has no rows yet.')
      await checkRoom(tx, organizationId, {
        jobs: isShown ? 1 : 0,
        rows: isShown ? found.total : 0,
      })
      if (isShown) await resetRows(tx, found.id)
      await queueJob(tx, found.id)
      const started = await readJob(tx, organizationId, found.id)
      await record(tx, { data: toJobRecord(started) })
      return started
    })
    services.jobRunner.wake()
    announceJob(services, job)
    return { data: toJobRecord(job) }
  },
})
