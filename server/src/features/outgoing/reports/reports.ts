import { z } from 'zod'
import type { Database } from '../../../db/connect.ts'
import { changeOf, creationOf } from '../../../http/change-record.ts'
import { conflict, invalid } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { requiredText } from '../../../http/fields.ts'
import { seriesSelectors } from '../../../uplinks/read/read-measurements.ts'
import { type CoreServices, endpoint } from '../../core-services.ts'
import { findMembers } from '../alerts/rule-queries.ts'
import { findReported } from './dashboard-data.ts'
import { mostSeries, readData } from './report-data.ts'
import { nextSending, periods } from './report-period.ts'
import type { ReportValues, StoredReport } from './report-queries.ts'
import * as reportQueries from './report-queries.ts'
import {
  reportAnswer,
  reportNotFound,
  reportPath,
  reportRecord,
  toReportRecord,
} from './report-record.ts'
import type { ReportSender } from './report-sender.ts'

export interface ReportServices extends CoreServices {
  reportSender: ReportSender
}

const mostReports = 50
const mostRecipients = 50

const recipientsMessage = `The recipients must be 1 to ${mostRecipients} ids of members.`
const periodMessage = `The period must be one of: ${periods.join(', ')}.`

const fields = withExamples(
  {
    name: requiredText('name', 100),
    period: z.enum(periods, { error: periodMessage }),
    series: seriesSelectors
      .optional()
      .describe('As `series` of `POST /measurements/query`; needed without a dashboard.'),
    dashboard: textOfId('dashboard')
      .nullish()
      .describe('The id of a dashboard: its charts, tables and values, in place of `series`.')
      .meta({ examples: [null] }),
    recipients: z
      .array(z.int({ error: recipientsMessage }), { error: recipientsMessage })
      .min(1, recipientsMessage)
      .max(mostRecipients, recipientsMessage)
      .describe('The ids of members who get it.'),
    is_active: z
      .boolean({ error: 'The is active must be true or false.' })
      .default(true)
      .describe('Whether it is sent by itself.'),
  },
  {
    name: 'Cold rooms',
    period: 'weekly' as const,
    series: [{ device_type: 16, quantity: 'air.temperature' }],
    recipients: [1],
    is_active: true,
  },
)

function textOfId(label: string) {
  const message = `The ${label} must be the id of a dashboard.`
  return z.string({ error: message }).max(20, message)
}

const { is_active, ...needed } = fields
const changes = z.object({ ...needed, is_active: is_active.unwrap() }).partial()

export const listReports = endpoint({
  summary: 'The reports of the organization',
  answer: z.object({
    data: z.array(reportRecord),
    ...withExamples(
      { can_mail: z.boolean().describe('Whether the service has a mail server (`SMTP_URL`).') },
      { can_mail: true },
    ),
  }),
  async handle({ caller }, { db, now, reportSender }: ReportServices) {
    const reports = await reportQueries.list(db, caller.organizationId)
    const data = reports.map((report) => toReportRecord(report, now()))
    return { data, can_mail: reportSender.canSend }
  },
})

export const showReport = endpoint({
  summary: 'One report',
  params: reportPath,
  answer: reportAnswer,
  failures: [404],
  async handle({ params, caller }, { db, now }) {
    const report = await reportQueries.find(db, caller.organizationId, params.report_id)
    if (!report) throw reportNotFound()
    return { data: toReportRecord(report, now()) }
  },
})

export const createReport = endpoint({
  summary: 'Send measurements by mail every week or month',
  description: `The lowest, average and highest values of each device, with their trend, as a PDF in the units
and formats of each recipient; and the values of each hour of the week, or day of the month, as CSV in base units.

With a dashboard, the PDF has its charts, tables and values over the week or month, without maps and floor plans.

It is sent at six o'clock in the organization's time zone on the first day after its week or month. Up to ${mostSeries}
measurements of devices are in one report, and an organization has up to ${mostReports} reports.`,
  body: z.object(fields),
  status: 201,
  answer: reportAnswer,
  failures: [409],
  change: creationOf('report'),
  async handle({ body, caller, record }, { db, now }: ReportServices) {
    const { organizationId, userId } = caller
    const values = { ...body, ...aboutOf(body, { series: [], dashboard: null }) }
    const planned = await plan(db, organizationId, values, now())
    const report = await db.transaction(async (tx) => {
      if ((await reportQueries.countLocked(tx, organizationId)) >= mostReports) {
        throw conflict(`The organization has ${mostReports} reports already.`)
      }
      const created = await reportQueries.insert(tx, organizationId, { ...planned, userId })
      await record(tx, { data: { id: created.id } })
      return created
    })
    return { data: toReportRecord(report, now()) }
  },
})

export const changeReport = endpoint({
  summary: 'Change a report; what is left out stays',
  params: reportPath,
  body: changes,
  answer: reportAnswer,
  failures: [404],
  change: changeOf('report', 'changed'),
  async handle({ params, body, caller, record }, { db, now }: ReportServices) {
    const { organizationId } = caller
    const stored = await reportQueries.find(db, organizationId, params.report_id)
    if (!stored) throw reportNotFound()
    const planned = await plan(db, organizationId, merge(stored, body), now())
    const report = await db.transaction(async (tx) => {
      const changed = await reportQueries.update(tx, organizationId, stored.id, planned)
      if (!changed) throw reportNotFound()
      await record(tx)
      return changed
    })
    return { data: toReportRecord(report, now()) }
  },
})

export const deleteReport = endpoint({
  summary: 'Delete a report',
  params: reportPath,
  status: 204,
  failures: [404],
  change: changeOf('report', 'deleted'),
  async handle({ params, caller: { organizationId }, record }, { db }) {
    await db.transaction(async (tx) => {
      const isThere = await reportQueries.remove(tx, organizationId, params.report_id)
      if (!isThere) throw reportNotFound()
      await record(tx)
    })
  },
})

export const sendReport = endpoint({
  summary: 'Send a report of the last week or month now',
  params: reportPath,
  status: 202,
  answer: reportAnswer,
  failures: [404, 409],
  change: changeOf('report', 'sent'),
  async handle({ params, caller, record }, { db, now, reportSender }: ReportServices) {
    const { organizationId } = caller
    const report = await db.transaction(async (tx) => {
      const asked = { id: params.report_id, now: now() }
      const changed = await reportQueries.ask(tx, organizationId, asked)
      if (!changed) throw reportNotFound()
      if (!reportSender.canSend) throw conflict('The service has no mail server (SMTP_URL).')
      await record(tx)
      return changed
    })
    reportSender.wake()
    return { data: toReportRecord(report, now()) }
  },
})

function merge(stored: StoredReport, body: z.infer<typeof changes>): ReportValues {
  return {
    name: body.name ?? stored.name,
    period: body.period ?? stored.period,
    ...aboutOf(body, stored),
    recipients: body.recipients ?? stored.recipients,
    is_active: body.is_active ?? stored.is_active,
  }
}

/** What is sent takes the place of the other. */
function aboutOf(
  { series, dashboard }: z.infer<typeof changes>,
  stored: Pick<ReportValues, 'series' | 'dashboard'>,
): Pick<ReportValues, 'series' | 'dashboard'> {
  if (dashboard) return { series: [], dashboard }
  if (series) return { series, dashboard: null }
  return { series: stored.series, dashboard: stored.dashboard }
}

/** @throws HttpError 422 for what is not there, and for more than a report holds. */
async function plan(db: Database, organizationId: number, values: ReportValues, now: Date) {
  const recipients = [...new Set(values.recipients)]
  const members = await findMembers(db, organizationId, recipients)
  if (recipients.some((id) => !members.has(id))) {
    throw invalid({
      recipients: [
        'The recipients must be members of the organization who are not limited to a group.',
      ],
    })
  }
  const calendar = await reportQueries.findCalendar(db, organizationId)
  if (values.dashboard !== null) await findReported(db, organizationId, values.dashboard)
  else if (values.series.length === 0) throw invalid({ series: ['The series field is required.'] })
  else await readData(db, organizationId, values, { calendar, now })
  return { ...values, recipients, nextAt: nextSending(values.period, calendar, now), now }
}
