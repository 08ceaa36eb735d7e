import { z } from 'zod'
import { type ChangeRecord, changeBy, dataOf, textOf } from '../../../http/change-record.ts'
import { type HttpError, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { pathId } from '../../../http/fields.ts'
import { isoTime, type Moment } from '../../../http/timestamps.ts'
import { jobKinds } from './job-kinds.ts'
import { jobStates, type StoredJob } from './job-queries.ts'
import { type ListedRow, rowStates } from './row-queries.ts'

export const jobRecord = z
  .object(
    withExamples(
      {
        id: z.int(),
        kind: z.enum(jobKinds),
        state: z
          .enum(jobStates)
          .describe(
            '`receiving` while further rows are to be sent, then `queued`, `running`, and `done` or `cancelled`.',
          ),
        dry_run: z.boolean().describe('It says what would happen, and changes nothing.'),
        title: z.string().nullable(),
        settings: z
          .record(z.string(), z.unknown())
          .describe('What it does with each row, as it was sent.'),
        message: z.string().nullable().describe('Why it was cancelled, or what it waits for.'),
        total: z.int().describe('Rows that it has.'),
        done: z.int(),
        failed: z.int(),
        created_by: z.object({ id: z.int(), name: z.string() }),
        created_at: z.string(),
        started_at: z.string().nullable(),
        finished_at: z.string().nullable(),
      },
      {
        id: 7,
        kind: 'register',
        state: 'running',
        dry_run: false,
        title: 'doors.csv',
        settings: { create_groups: true },
        message: null,
        total: 1000,
        done: 495,
        failed: 5,
        created_by: { id: 4, name: 'Bo Summer' },
        created_at: '2026-03-01T12:00:00.000000Z',
        started_at: '2026-03-01T12:00:00.500000Z',
        finished_at: null,
      },
    ),
  )
  .meta({ id: 'Job' })

export function toJobRecord(job: StoredJob): z.infer<typeof jobRecord> {
  return {
    id: job.id,
    kind: job.kind,
    state: job.state,
    dry_run: job.is_dry_run,
    title: job.title,
    settings: job.settings,
    message: job.message,
    total: job.total,
    done: job.done,
    failed: job.failed,
    created_by: { id: job.user_id, name: job.user_name },
    created_at: isoTime(job.created_at),
    started_at: timeOrNull(job.started_at),
    finished_at: timeOrNull(job.finished_at),
  }
}

function timeOrNull(moment: Moment | null): string | null {
  return moment === null ? null : isoTime(moment)
}

export const rowRecord = z
  .object(
    withExamples(
      {
        number: z.int().describe('From 1, in the order in which the rows were sent.'),
        status: z.enum(rowStates),
        message: z.string().nullable(),
        device_id: z.int().nullable().describe('The id of the device, where there is one.'),
        input: z.record(z.string(), z.unknown()).describe('The row as sent, without its key.'),
      },
      {
        number: 17,
        status: 'failed',
        message: 'The device EUI has already been taken.',
        device_id: null,
        input: { deviceName: 'Back door', deviceId: '00AA000000000002' },
      },
    ),
  )
  .meta({ id: 'JobRow' })

export function toRowRecord(row: ListedRow): z.infer<typeof rowRecord> {
  const { number, state: status, message, device_id, input } = row
  return { number, status, message, device_id, input }
}

/** What a list has besides its records. */
export const listEnd = withExamples(
  {
    total: z.int(),
    after: z.int().nullable().describe('The `after` of the next request; null at the end.'),
  },
  { total: 1, after: null },
)

export const jobPath = z.object({ job_id: pathId('7') })

export function jobNotFound(): HttpError {
  return notFound('Job not found')
}

/** A dry run changes nothing. What a job does is told by its rows. */
export function jobChange(action: string): ChangeRecord {
  return changeBy((done) => {
    const { id, kind, title, total, dry_run } = dataOf(done)
    if (dry_run === true && action === 'started') return undefined
    const name = textOf(title) ?? textOf(kind)
    const change = {
      kind: 'job',
      action,
      subject: textOf(id),
      name,
      fields: [String(kind)],
    } as const
    // Further rows follow.
    return done.body.more === true ? change : { ...change, count: Number(total ?? 0) }
  })
}
