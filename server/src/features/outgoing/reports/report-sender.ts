import { HttpError } from '../../../http/errors.ts'
import type { Formats } from '../../../lora/formats.ts'
import { waitAfter } from '../../../networks/back-off.ts'
import type { CoreServices } from '../../core-services.ts'
import { createTenantTurns, type TenantTurns } from '../../fleet/jobs/tenant-turns.ts'
import { deliver, isFinal, type Message, reasonOf } from '../../people/auth/deliver-mail.ts'
import type { MailSettings } from '../../people/auth/mail-settings.ts'
import { writeCsv } from './report-csv.ts'
import { nameRange, type ReportData, readData, toTables } from './report-data.ts'
import { writePdf } from './report-pdf.ts'
import { nextSending } from './report-period.ts'
import * as reportQueries from './report-queries.ts'

/** Sends the reports that are due, in the background. */
export interface ReportSender extends TenantTurns {
  /** Whether the operator has a mail server. */
  readonly canSend: boolean
}

type SenderServices = Pick<CoreServices, 'db' | 'now' | 'log' | 'presence' | 'publicUrl'> & {
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
  const { db, now } = services
  const { organization_id: organizationId, recipients, told } = report
  const members = await reportQueries.listRecipients(db, organizationId, recipients)
  if (members.length === 0) {
    return {
      failures: ['No recipient is a member of the whole organization.'],
      isWorthRetry: false,
    }
  }
  const data = await readData(db, organizationId, report, { calendar, now: now() }).catch(whyNot)
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
  content: { data: ReportData; calendar: Calendar; formats: Formats },
): Promise<Omit<Message, 'to'>> {
  const { data, calendar, formats } = content
  const { organization } = calendar
  const range = nameRange(data, formats)
  const tables = toTables(data)
  const title = { name: report.name, organization, range, timeZone: calendar.timeZone }
  const lines = tables.map(
    ({ label, rows }) => `- ${label}: ${rows.length} ${rows.length === 1 ? 'device' : 'devices'}`,
  )
  const what = lines.length > 0 ? lines.join('\n') : 'No device has such a measurement.'
  const text = `${report.name}, ${range}.

${what}

The PDF has the lowest, average and highest value of each device, and the CSV file the values of
each ${report.period === 'weekly' ? 'hour' : 'day'}.

A member of ${organization} can change this report at ${publicUrl}/reports
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
      { filename: `${file}.pdf`, content: await writePdf(title, tables, formats) },
      { filename: `${file}.csv`, content: Buffer.from(writeCsv(data)) },
    ],
  }
}

function fileName(name: string): string {
  const safe = name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')
  return safe === '' ? 'report' : safe.slice(0, 60).toLowerCase()
}

const plain = (text: string) => text.replace(/\s+/g, ' ').trim()
