import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import { bomField, withMark } from '../../http/csv.ts'
import { queryChoice } from '../../http/fields.ts'
import { endpoint } from '../core-services.ts'
import { csvHeader, rowLine } from './job-csv.ts'
import { findJob, type StoredJob } from './job-queries.ts'
import { jobNotFound, jobPath } from './job-record.ts'
import { listRows, type RowState, rowStates } from './row-queries.ts'

/** Rows of one query, and of one turn of the event loop. */
const chunkSize = 1000

export const exportJobRows = endpoint({
  summary: 'What became of each row of a job, as CSV',
  description:
    'The columns of the rows come first, so that the rows can be mended and sent again; `device_key` is empty. Then come `row`, `status` and `message`.',
  params: jobPath,
  query: z.object({ status: queryChoice('status', rowStates).optional(), ...bomField }),
  isHeavy: true,
  failures: [404],
  produces: {
    type: 'text/csv; charset=utf-8',
    fileName: 'rows.csv',
    example:
      'device_id,device_name,row,status,message\r\n00AA000000000009,Back door,1,failed,device not found\r\n',
  },
  async handle({ params, query, caller: { organizationId } }, { db }) {
    const job = await findJob(db, organizationId, params.job_id)
    if (!job) throw jobNotFound()
    return withMark(query, csv(db, job, query.status))
  },
})

async function* csv(db: Queryable, job: StoredJob, state: RowState | undefined) {
  yield csvHeader(job.kind)
  for (let after = 0, isMore = true; isMore; ) {
    const range = { state, after, limit: chunkSize }
    const rows = await listRows(db, job.organization_id, job.id, range)
    if (rows.length > 0) yield rows.map((row) => rowLine(job.kind, row)).join('')
    after = rows.at(-1)?.number ?? after
    isMore = rows.length === chunkSize
  }
}
