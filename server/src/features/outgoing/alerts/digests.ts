import type { Queryable } from '../../../db/connect.ts'
import { writeNumber } from '../../../lora/formats.ts'
import {
  describeAlert,
  kindWords,
  nameOf,
  plain,
  singleWord,
  timeOf,
  type Way,
} from './alert-facts.ts'
import type { ListedAlert } from './alert-queries.ts'
import type { CauseCount, DigestRule, Reader } from './digest-queries.ts'
import * as digestQueries from './digest-queries.ts'

/** One direction of a digest: what has begun, or what is over. */
interface DigestPart {
  causes: readonly CauseCount[]
  /** The first ones. */
  alerts: readonly ListedAlert[]
}

export interface DigestContent {
  rule: DigestRule
  begun: DigestPart
  ended: DigestPart
  publicUrl: string
  /** How its reader reads numbers and times. */
  reader: Reader
}

/** What one mail says: counts first, then the first things by name. */
function writeDigest(content: DigestContent): { subject: string; body: string } {
  const { rule, publicUrl } = content
  const parts = [
    ...describePart(content, 'begun'),
    ...describePart(content, 'ended'),
    `All alerts of this rule: ${publicUrl}/alerts?rule=${rule.id}`,
    `The rule "${plain(rule.name)}" of ${plain(rule.organization_name)} sends this to you. A member
can mute or change it at ${publicUrl}/alerts/rules`,
  ]
  return { subject: subjectOf(content), body: `${parts.join('\n\n')}\n` }
}

function subjectOf({ rule, begun, ended, reader }: DigestContent): string {
  const counts = [countOf(begun), countOf(ended)] as const
  const [first] = counts[0] > 0 ? begun.alerts : ended.alerts
  const back = counts[0] > 0 ? '' : 'Back: '
  const count = counts[0] > 0 ? counts[0] : counts[1]
  const cause = (counts[0] > 0 ? begun : ended).causes.find(isCaused)
  const what =
    count === 1 && first
      ? `${nameOf(first)}: ${back === '' ? singleWord(rule.kind) : 'back to normal'}`
      : numbered(count, rule, reader)
  const why = cause ? `, behind gateway ${plain(cause.gateway_name ?? '')}` : ''
  return `[${plain(rule.organization_name)}] ${back}${what}${why}`
}

function numbered(count: number, { kind }: DigestRule, { formats }: Reader): string {
  return `${writeNumber(count, 0, formats)} ${kindWords[kind][count === 1 ? 0 : 1]}`
}

function describePart(content: DigestContent, way: Way): string[] {
  const { rule, reader, [way]: part } = content
  const count = countOf(part)
  if (count === 0) return []
  const said = numbered(count, rule, reader)
  const title = way === 'begun' ? said : `Over: ${said}`
  const causes = part.causes.filter(isCaused).map((cause) => describeCause(cause, way, reader))
  const lines = part.alerts.map((alert) => `- ${describeAlert(alert, way, reader)}`)
  const left = count - part.alerts.length
  const rest = left > 0 ? [`and ${writeNumber(left, 0, reader.formats)} more.`] : []
  return [`${title}.`, ...causes, [...lines, ...rest].join('\n')]
}

function describeCause(cause: CauseCount, way: Way, reader: Reader): string {
  const { gateway_name, gateway_eui, last_seen, count } = cause
  const gateway = `gateway ${plain(gateway_name ?? '')} (${gateway_eui})`
  if (way === 'ended') {
    return `All devices that went silent behind ${gateway} are heard again.`
  }
  const since = last_seen === null ? '' : `, which is silent since ${timeOf(last_seen, reader)}`
  return `${writeNumber(count, 0, reader.formats)} of them were last heard only by ${gateway}${since}. Look there first.
Further devices that go silent behind it appear in the list, without another mail.`
}

function isCaused({ gateway_id }: CauseCount): boolean {
  return gateway_id !== null
}

function countOf({ causes }: DigestPart): number {
  return causes.reduce((sum, { count }) => sum + count, 0)
}

/** Alerts that a mail names. */
const mostNamed = 20

/** Writes the mails of the digests whose time has come. Returns how many. */
export async function writeDigests(
  tx: Queryable,
  organizationId: number,
  { now, publicUrl }: { now: Date; publicUrl: string },
): Promise<number> {
  const due = await digestQueries.listDue(tx, organizationId, now)
  for (const digest of due) {
    const rule = await digestQueries.findRule(tx, organizationId, digest.rule_id)
    const begun = await readPart(tx, organizationId, digest.id, 'begun')
    const ended = await readPart(tx, organizationId, digest.id, 'ended')
    const isEmpty = begun.causes.length + ended.causes.length === 0
    await digestQueries.note(tx, organizationId, digest, { now, isEmpty })
    if (!rule || isEmpty) continue
    const readers = await digestQueries.listReaders(tx, organizationId, rule.recipients)
    for (const { reader, ids: recipients } of readers) {
      const mail = writeDigest({ rule, begun, ended, publicUrl, reader })
      await digestQueries.insertMails(tx, organizationId, digest, { recipients, ...mail, now })
    }
  }
  return due.length
}

async function readPart(
  tx: Queryable,
  organizationId: number,
  digestId: number,
  part: 'begun' | 'ended',
): Promise<DigestPart> {
  const causes = await digestQueries.countCauses(tx, organizationId, digestId, part)
  if (causes.length === 0) return { causes, alerts: [] }
  const most = mostNamed
  const alerts = await digestQueries.listAlerts(tx, organizationId, digestId, { part, most })
  return { causes, alerts }
}
