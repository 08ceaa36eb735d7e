import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { bodyLimits } from '../../../http/endpoint.ts'
import { conflict, invalid } from '../../../http/errors.ts'
import { requiredInteger } from '../../../http/fields.ts'
import { endpoint } from '../../core-services.ts'
import { mustBeAllowed } from './job-kinds.ts'
import { lockJob, queueJob, type StoredJob } from './job-queries.ts'
import { jobNotFound, jobPath, jobRecord, toJobRecord } from './job-record.ts'
import { announceJob, type JobServicesWithRunner } from './job-runner.ts'
import { openSecret } from './portion.ts'
import { findFailed, replaceRows } from './row-queries.ts'
import { toNewRow } from './sent-rows.ts'
import { checkRoom, readJob } from './take-rows.ts'

const mostRepaired = 1000

/** The rights were checked for what was chosen: a gateway takes another one than a device. */
const takenAsChosen = 'A take-over cannot change device_id and gateway_id of its rows.'

const mendedRow = z.looseObject({ number: requiredInteger('number') })
type MendedRow = z.infer<typeof mendedRow>

export const repairRows = endpoint({
  summary: 'Mend failed rows of a job, and work them again',
  description:
    'Each row has its `number` and the members that change; the others stay as they were sent, the device key too. A row with only a number is tried again as it is. Keys of failed rows are kept for a day after the job. Rows of a take-over keep their `device_id` or `gateway_id`.',
  params: jobPath,
  bodyLimit: bodyLimits.batch,
  body: z.object({
    rows: z
      .array(mendedRow, { error: 'The rows must be an array.' })
      .min(1, 'The rows field is required.')
      .max(mostRepaired, `The rows may not have more than ${mostRepaired} items.`),
  }),
  answer: z.object({ data: jobRecord }),
  failures: [404, 409],
  examples: [
    { name: 'another EUI', body: { rows: [{ number: 17, deviceId: '00AA000000000017' }] } },
  ],
  change: 'untold',
  async handle({ params, body, caller }, services: JobServicesWithRunner) {
    const { organizationId } = caller
    const job = await services.db.transaction(async (tx) => {
      const found = await lockJob(tx, organizationId, params.job_id)
      if (!found) throw jobNotFound()
      mustBeAllowed(found.kind, caller)
      if (found.state === 'receiving') throw conflict('The job has not begun.')
      const isOver = found.state === 'done' || found.state === 'cancelled'
      await checkRoom(tx, organizationId, { jobs: isOver ? 1 : 0, rows: body.rows.length })
      await fix(tx, services, found, body.rows)
      if (isOver) await queueJob(tx, found.id)
      return readJob(tx, organizationId, found.id)
    })
    services.jobRunner.wake()
    announceJob(services, job)
    return { data: toJobRecord(job) }
  },
})

async function fix(
  tx: Queryable,
  services: JobServicesWithRunner,
  { id: jobId, kind }: StoredJob,
  rows: readonly MendedRow[],
): Promise<void> {
  const byNumber = new Map(rows.map((row) => [row.number, row]))
  const stored = await findFailed(tx, jobId, [...byNumber.keys()])
  const failed = new Set(stored.map(({ number }) => number))
  const others = [...byNumber.keys()].filter((number) => !failed.has(number))
  if (others.length > 0) {
    const named = others.slice(0, 10).join(', ')
    throw invalid({ rows: [`These rows have not failed: ${named}.`] })
  }
  const isAnother = (row: MendedRow) => 'device_id' in row || 'gateway_id' in row
  if (kind === 'take_over' && rows.some(isAnother)) throw invalid({ rows: [takenAsChosen] })
  const fixed = stored.map((row) => {
    const secret = openSecret(services, jobId, row)
    const known = { input: row.input, secret }
    const place = { jobId, kind, number: row.number }
    return toNewRow(services.sealer, place, byNumber.get(row.number), known)
  })
  await replaceRows(tx, jobId, fixed)
}
