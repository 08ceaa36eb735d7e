import { z } from 'zod'
import { queryInteger } from '../../http/fields.ts'
import { endpoint } from '../core-services.ts'
import { countJobs, listJobs as list } from './job-queries.ts'
import { jobRecord, listEnd, toJobRecord } from './job-record.ts'

export const listJobs = endpoint({
  summary: 'Jobs of the last 30 days, newest first',
  query: z.object({
    after: queryInteger('after', { min: 1, fallback: 0 }).describe(
      'The `after` of the answer before: the further ones.',
    ),
    limit: queryInteger('limit', { min: 1, max: 100, fallback: 25 }),
  }),
  answer: z.object({
    data: z.array(jobRecord),
    ...listEnd,
  }),
  async handle({ query, caller: { organizationId } }, { db }) {
    const before = query.after === 0 ? undefined : query.after
    const jobs = await list(db, organizationId, { before, limit: query.limit })
    const total = await countJobs(db, organizationId)
    const last = jobs.length < query.limit ? undefined : jobs.at(-1)
    return { data: jobs.map(toJobRecord), total, after: last?.id ?? null }
  },
})
