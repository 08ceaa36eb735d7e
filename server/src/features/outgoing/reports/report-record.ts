import { z } from 'zod'
import { type HttpError, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { pathId } from '../../../http/fields.ts'
import { isoTime, type Moment } from '../../../http/timestamps.ts'
import { periods } from './report-period.ts'
import type { StoredReport } from './report-queries.ts'

export const reportRecord = z
  .object(
    withExamples(
      {
        id: z.int(),
        name: z.string(),
        period: z.enum(periods),
        series: z
          .array(z.record(z.string(), z.unknown()))
          .describe('As `series` of `POST /measurements/query`.'),
        dashboard: z
          .string()
          .nullable()
          .describe('The id of the dashboard that it is about, in place of `series`.'),
        recipients: z.array(z.int()).describe('The ids of members who get it.'),
        is_active: z.boolean(),
        state: z
          .enum(['waiting', 'sent', 'failed', 'sending'])
          .describe(
            '`sending`: it is due, or will be tried again. `waiting`: it was never sent. The others tell how the last one went.',
          ),
        failure: z.string().nullable().describe('What did not arrive, and why.'),
        sent_at: z.string().nullable().describe('When somebody got it last.'),
        next_at: z.string().nullable().describe('Null while it is switched off.'),
        created_at: z.string(),
        updated_at: z.string(),
      },
      {
        id: 3,
        name: 'Cold rooms',
        period: 'weekly',
        series: [{ group: 12, quantity: 'air.temperature' }],
        dashboard: null,
        recipients: [1],
        is_active: true,
        state: 'sent',
        failure: null,
        sent_at: '2026-03-02T06:00:03.000000Z',
        next_at: '2026-03-09T06:00:00.000000Z',
        created_at: '2026-02-20T12:00:00.000000Z',
        updated_at: '2026-02-20T12:00:00.000000Z',
      },
    ),
  )
  .meta({ id: 'Report' })

export const reportAnswer = z.object({ data: reportRecord })

export const reportPath = z.object({ report_id: pathId('3') })

export function toReportRecord(report: StoredReport, now: Date): z.infer<typeof reportRecord> {
  const { id, name, period, series, dashboard, recipients, is_active, failure } = report
  return {
    ...{ id, name, period, series, dashboard, recipients, is_active },
    state: stateOf(report, now),
    failure,
    sent_at: timeOrNull(report.sent_at),
    next_at: is_active ? isoTime(report.next_at) : null,
    created_at: isoTime(report.created_at),
    updated_at: isoTime(report.updated_at),
  }
}

function stateOf({ is_active, next_at, asked_at, failure, sent_at }: StoredReport, now: Date) {
  if (asked_at !== null || (is_active && Date.parse(next_at) <= now.getTime())) return 'sending'
  if (failure !== null) return 'failed'
  return sent_at === null ? 'waiting' : 'sent'
}

const timeOrNull = (moment: Moment | null) => (moment === null ? null : isoTime(moment))

export function reportNotFound(): HttpError {
  return notFound('Report not found')
}
