import { HttpError } from '../../../http/errors.ts'
import type { Formats } from '../../../lora/formats.ts'
import { waitAfter } from '../../../networks/back-off.ts'
import { type Say, sayIn } from '../../../texts/texts.ts'
import { createTenantTurns, type TenantTurns } from '../../fleet/jobs/tenant-turns.ts'
import type { DashboardServices } from '../../insight/dashboards/widget-data.ts'
import { deliver, isFinal, type Message, reasonOf } from '../../people/auth/deliver-mail.ts'
import type { MailSettings } from '../../people/auth/mail-settings.ts'
import { writeDashboardCsv } from './dashboard-csv.ts'
import { type ReportedWidget, readDashboard } from './dashboard-data.ts'
import { describeWidget, titleOf } from './dashboard-pdf.ts'
import { writeCsv } from './report-csv.ts'
import { nameRange, type ReportData, readData, toTables } from './report-data.ts'
import { describeTables, type ReportTitle, writePdf } from './report-pdf.ts'
import { lastPeriod, nextSending } from './report-period.ts'
import * as reportQueries from './report-queries.ts'

/** Sends the reports that are due, in the background. */
export interface ReportSender extends TenantTurns {
  /** Whether the operator has a mail server. */
  readonly canSend: boolean
}

type SenderServices = Pick<
  DashboardServices,
  'db' | 'now' | 'log' | 'presence' | 'publicUrl' | 'keptAnswers'
> & {
  mail?: MailSettings | undefined
}

/** Between the attempts of one report. */
const backOff = { firstMs: 60_000, longestMs: 2 * 60 * 60 * 1000 }
/** About a day. */
const mostAttempts = 16

/** One report at a time in this process. After a crash, those who have it do not get it again. */
export function createReportSender(services: SenderServices): ReportSender {
  const { db, now, log, mail } = services
  const turns = createTenantTurns({
    list: async () => (mail ? reportQueries.listDue(db, now()) : []),
    keyOf: ({ organization_id, id }) => `${organization_id} ${id}`,
    parallelism: 1,
    mayBegin: () => true,
    async work(due) {
      if (mail) await sendReport({ ...services, mail }, due)
      return true
    },
    // The claim ends by itself, and the next one goes on.
    reportFailure: (err) => log.warn({ err }, 'a report could not be sent'),
  })
  return { ...turns, canSend: mail !== undefined }
}

type Services = SenderServices & { mail: MailSettings }
type Claimed = reportQueries.ClaimedReport

async function sendReport(services: Services, due: reportQueries.DueReport): Promise<void> {
  const { db, now, presence, log } = services
  const report = await reportQueries.claim(db, due, { now: now(), presence })
  if (!report) return
  const { organization_id: organizationId } = report
  const calendar = await reportQueries.findCalendar(db, organizationId)
  const { failures, isWorthRetry } = await tellAll(services, report, calendar)
  const failure = failures.length > 0 ? failures.join(' ') : null
  if (failure !== null) log.warn({ organizationId, report: report.id, failure }, 'a report failed')
  if (failure !== null && isWorthRetry && report.attempts + 1 < mostAttempts) {
    const next = new Date(now().getTime() + waitAfter(backOff, report.attempts + 1))
    await reportQueries.postpone(db, report, { failure, next })
    return
  }
  const nextAt = nextSending(report.period, calendar, now())
  await reportQueries.finish(db, report, { failure, nextAt, now: now() })
}

interface Outcome {
  failures: string[]
  isWorthRetry: boolean
}

type Calendar = Awaited<ReturnType<typeof reportQueries.findCalendar>>

async function tellAll(services: Services, report: Claimed, calendar: Calendar): Promise<Outcome> {
  const { db } = services
  const { organization_id: organizationId, recipients, told } = report
  const members = await reportQueries.listRecipients(db, organizationId, recipients)
  if (members.length === 0) {
    return {
      failures: ['No recipient is a member of the whole organization.'],
      isWorthRetry: false,
    }
  }
  const data = await readAll(services, report, calendar).catch(whyNot)
  if (typeof data === 'string') return { failures: [data], isWorthRetry: false }
  const outcome: Outcome = { failures: [], isWorthRetry: false }
  const waiting = members.filter(({ id }) => !told.includes(id))
  for (const same of Map.groupBy(waiting, ({ formats }) => JSON.stringify(formats)).values()) {
    const [first] = same
    if (!first) continue
    const message = await writeMessage(services, report, { data, calendar, formats: first.formats })
    for (const { id, email } of same) {
      const error = await tell(services, { ...message, to: email })
      if (error === undefined) await reportQueries.noteTold(db, report, id)
      else {
        outcome.failures.push(`${email} did not get it: ${reasonOf(error).reason}.`)
        outcome.isWorthRetry ||= !isFinal(error)
      }
    }
  }
  return outcome
}

/** What a report has: measurements, or the widgets of a dashboard. */
type Reported = ReportData & { widgets?: ReportedWidget[] }

async function readAll(services: Services, report: Claimed, calendar: Calendar): Promise<Reported> {
  const { organization_id: organizationId, dashboard, period } = report
  const now = services.now()
  if (dashboard === null) {
    return readData(services.db, organizationId, report, { calendar, now })
  }
  const range = lastPeriod(period, calendar, now)
  const about = { range, calendar }
  const widgets = await readDashboard(services, organizationId, dashboard, about)
  return { ...about, series: [], widgets }
}

/** What was chosen is gone, or has grown too much. */
function whyNot(error: unknown): string {
  if (error instanceof HttpError && error.status === 422) return error.message
  throw error
}

async function tell({ mail }: Services, message: Message): Promise<unknown> {
  try {
    await deliver(mail, message)
    return undefined
  } catch (error) {
    return error
  }
}

async function writeMessage(
  { publicUrl }: Services,
  report: Claimed,
  content: { data: Reported; calendar: Calendar; formats: Formats },
): Promise<Omit<Message, 'to'>> {
  const { data, calendar, formats } = content
  const { organization } = calendar
  const range = nameRange(data, formats)
  const title = { name: report.name, organization, range, timeZone: calendar.timeZone }
  const { lines, note, pdf, csv } = writeParts(report, data, { title, calendar, formats })
  const say = sayIn(formats)
  const what = lines.length > 0 ? lines.join('\n') : say('No device has such a measurement.')
  const text = `${report.name}, ${range}.

${what}

${note}

${say('A member of {organization} can change this report at {url}', {
  organization,
  url: `${publicUrl}/reports`,
})}
`
  const file = `${fileName(report.name)}-${data.range.from.toISOString().slice(0, 10)}`
  const { organization_id, id } = report
  const key = `${organization_id}-${id}-${data.range.from.getTime()}`
  return {
    subject: `[${plain(organization)}] ${plain(report.name)}: ${range}`,
    text,
    headers: { 'Auto-Submitted': 'auto-generated' },
    messageId: `<report-${key}-${Date.parse(report.asked_at ?? report.next_at)}@${new URL(publicUrl).hostname}>`,
    attachments: [
      { filename: `${file}.pdf`, content: await pdf },
      { filename: `${file}.csv`, content: Buffer.from(csv) },
    ],
  }
}

interface Written {
  /** What is in it, in the mail. */
  lines: string[]
  note: string
  pdf: Promise<Buffer>
  csv: string
}

function writeParts(
  report: Claimed,
  data: Reported,
  { title, calendar, formats }: { title: ReportTitle; calendar: Calendar; formats: Formats },
): Written {
  const say = sayIn(formats)
  if (data.widgets) {
    const { timeZone } = calendar
    const content = data.widgets.flatMap((one) => describeWidget(one, { formats, timeZone }))
    const titles = data.widgets.map(({ widget, data: own }) => titleOf(widget, own, say))
    return {
      lines: titles.filter((each) => each !== '').map((each) => `- ${plain(each)}`),
      note: say(
        'The PDF has the charts, tables and values of the dashboard, and the CSV file their numbers.',
      ),
      pdf: writePdf(title, content, formats),
      csv: writeDashboardCsv(data.widgets, say),
    }
  }
  const tables = toTables(data)
  return {
    lines: tables.map(({ label, rows }) => `- ${label}: ${devicesIn(rows.length, say)}`),
    note:
      report.period === 'weekly'
        ? say(
            'The PDF has the lowest, average and highest value of each device, and the CSV file the values of\neach hour.',
          )
        : say(
            'The PDF has the lowest, average and highest value of each device, and the CSV file the values of\neach day.',
          ),
    pdf: writePdf(title, describeTables(tables, formats), formats),
    csv: writeCsv(data),
  }
}

function devicesIn(count: number, say: Say): string {
  return say('{count, plural, one {# device} other {# devices}}', { count })
}

function fileName(name: string): string {
  const safe = name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')
  return safe === '' ? 'report' : safe.slice(0, 60).toLowerCase()
}

const plain = (text: string) => text.replace(/\s+/g, ' ').trim()
