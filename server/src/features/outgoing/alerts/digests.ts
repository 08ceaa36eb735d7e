import type { Queryable } from '../../../db/connect.ts'
import { sayIn } from '../../../texts/texts.ts'
import {
  countTexts,
  describeAlert,
  nameOf,
  plain,
  singleTexts,
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
  const { rule, publicUrl, reader } = content
  const say = sayIn(reader.formats)
  const parts = [
    ...describePart(content, 'begun'),
    ...describePart(content, 'ended'),
    say('All alerts of this rule: {url}', { url: `${publicUrl}/alerts?rule=${rule.id}` }),
    say(
      'The rule "{rule}" of {organization} sends this to you. A member\ncan mute or change it at {url}',
      {
        rule: plain(rule.name),
        organization: plain(rule.organization_name),
        url: `${publicUrl}/alerts/rules`,
      },
    ),
  ]
  return { subject: subjectOf(content), body: `${parts.join('\n\n')}\n` }
}

function subjectOf({ rule, begun, ended, reader }: DigestContent): string {
  const counts = [countOf(begun), countOf(ended)] as const
  const [first] = counts[0] > 0 ? begun.alerts : ended.alerts
  const say = sayIn(reader.formats)
  const isOver = counts[0] === 0
  const count = counts[0] > 0 ? counts[0] : counts[1]
  const cause = (counts[0] > 0 ? begun : ended).causes.find(isCaused)
  const name = first ? nameOf(first) : ''
  const one = isOver
    ? say('{name}: back to normal', { name })
    : say('{name}: {what}', { name, what: say(singleTexts[rule.kind]) })
  const all = count === 1 && first ? one : numbered(count, rule, reader)
  const what = isOver ? say('Back: {what}', { what: all }) : all
  const gateway = plain(cause?.gateway_name ?? '')
  const whole = cause ? say('{what}, behind gateway {gateway}', { what, gateway }) : what
  return `[${plain(rule.organization_name)}] ${whole}`
}

function numbered(count: number, { kind }: DigestRule, { formats }: Reader): string {
  return sayIn(formats)(countTexts[kind], { count })
}

function describePart(content: DigestContent, way: Way): string[] {
  const { rule, reader, [way]: part } = content
  const count = countOf(part)
  if (count === 0) return []
  const said = numbered(count, rule, reader)
  const say = sayIn(reader.formats)
  const title = way === 'begun' ? said : say('Over: {what}', { what: said })
  const causes = part.causes.filter(isCaused).map((cause) => describeCause(cause, way, reader))
  const lines = part.alerts.map((alert) => `- ${describeAlert(alert, way, reader)}`)
  const left = count - part.alerts.length
  const rest = left > 0 ? [say('and {count, number} more.', { count: left })] : []
  return [`${title}.`, ...causes, [...lines, ...rest].join('\n')]
}

function describeCause(cause: CauseCount, way: Way, reader: Reader): string {
  const { gateway_name, gateway_eui, last_seen, count } = cause
  const say = sayIn(reader.formats)
  const gateway = `${plain(gateway_name ?? '')} (${gateway_eui})`
  if (way === 'ended') {
    return say('All devices that went silent behind gateway {gateway} are heard again.', {
      gateway,
    })
  }
  if (last_seen === null) {
    return say(
      '{count, number} of them were last heard only by gateway {gateway}. Look there first.\nFurther devices that go silent behind it appear in the list, without another mail.',
      { count, gateway },
    )
  }
  return say(
    '{count, number} of them were last heard only by gateway {gateway}, which is silent since {time}. Look there first.\nFurther devices that go silent behind it appear in the list, without another mail.',
    { count, gateway, time: timeOf(last_seen, reader) },
  )
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
