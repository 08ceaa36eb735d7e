import { z } from 'zod'
import { endpoint } from '../core-services.ts'
import { findJob } from './job-queries.ts'
import { jobNotFound, jobPath, jobRecord, toJobRecord } from './job-record.ts'

export const getJob = endpoint({
  summary: 'A job, and how far it is',
  params: jobPath,
  answer: z.object({ data: jobRecord }),
  failures: [404],
  async handle({ params, caller }, { db }) {
    const job = await findJob(db, caller.organizationId, params.job_id)
    if (!job) throw jobNotFound()
    return { data: toJobRecord(job) }
  },
})
