import { z } from 'zod'
import { bodyLimits } from '../../http/endpoint.ts'
import { conflict } from '../../http/errors.ts'
import { requiredInteger } from '../../http/fields.ts'
import { endpoint } from '../core-services.ts'
import { devicesField, moreField, readRows, rowsField } from './job-body.ts'
import { mustBeAllowed } from './job-kinds.ts'
import { lockJob } from './job-queries.ts'
import { jobNotFound, jobPath, jobRecord, toJobRecord } from './job-record.ts'
import { announceJob, type JobServicesWithRunner } from './job-runner.ts'
import { checkRoom, readJob, takeRows } from './take-rows.ts'

export const appendRows = endpoint({
  summary: 'Send further rows of a job that was made with `more`',
  description:
    '`first` is the number of the first row in the body, from 1. Rows that are there already are left out, so that a request whose answer was lost is sent again as it is; `total` of the job says where to go on.',
  params: jobPath,
  bodyLimit: bodyLimits.batch,
  body: z.object({
    first: requiredInteger('first').min(1, 'The first must be at least 1.'),
    rows: rowsField,
    devices: devicesField,
    more: moreField,
  }),
  answer: z.object({ data: jobRecord }),
  failures: [404, 409],
  examples: [
    {
      name: 'the last rows',
      body: { first: 2001, rows: [{ device_id: '00AA000000000001', device_name: 'Front door' }] },
    },
  ],
  change: 'untold',
  async handle({ params, body, caller }, services: JobServicesWithRunner) {
    const { organizationId } = caller
    const job = await services.db.transaction(async (tx) => {
      const found = await lockJob(tx, organizationId, params.job_id)
      if (!found) throw jobNotFound()
      mustBeAllowed(found.kind, caller)
      const rows = readRows(found.kind, body)
      const known = found.total - (body.first - 1)
      if (known < 0) throw conflict(`The rows from ${found.total + 1} on are missing.`)
      if (found.state !== 'receiving') {
        if (rows.length > known) throw conflict('The job takes no more rows.')
        return found
      }
      const added = rows.slice(known)
      await checkRoom(tx, organizationId, { jobs: 0, rows: added.length })
      const sent = { rows: added, more: body.more ?? false }
      await takeRows(tx, services, organizationId, found, sent)
      return readJob(tx, organizationId, found.id)
    })
    services.jobRunner.wake()
    announceJob(services, job)
    return { data: toJobRecord(job) }
  },
})
