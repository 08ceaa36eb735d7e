import type { Queryable } from '../../../db/connect.ts'
import { combineFormats } from '../../../lora/formats.ts'
import { type Say, sayIn } from '../../../texts/texts.ts'
import { isWithinHours } from '../channels/channel-hours.ts'
import type { ListedChannel } from '../channels/channel-queries.ts'
import * as channelQueries from '../channels/channel-queries.ts'
import { describeAlert, nameOf, plain, singleTexts, type Way } from './alert-facts.ts'
import type { Severity } from './alert-kinds.ts'
import type { Portion } from './channel-news-queries.ts'
import * as newsQueries from './channel-news-queries.ts'
import type { Reader } from './digest-queries.ts'

/** What happens within this time is one message. */
export const gatheringSeconds = 10
/** Between two messages of a channel, at least. */
const betweenSeconds = 120
/** Messages in an hour of a member, of an organization and of a tenant. What is above waits, as one message. */
const mostAnHour = { user: 30, organization: 200, tenant: 1000 }
/** Alerts that a message names. */
const mostNamed = 10

interface Telling {
  now: Date
  publicUrl: string
}

/**
 * Writes a message for each channel that has something to tell and may tell it now; what another has
 * to wait for is in its next one. Returns how many.
 */
export async function tellChannels(
  tx: Queryable,
  organizationId: number,
  telling: Telling,
): Promise<number> {
  const channels = await channelQueries.listReady(tx, organizationId, telling.now)
  if (channels.length === 0) return 0
  const latest = await newsQueries.findLatestNews(tx, organizationId)
  let written = 0
  for (const channel of channels) {
    if (latest === null || Date.parse(latest) <= Date.parse(channel.told_until)) continue
    if (!isWithinHours(channel, telling.now)) continue
    if (await tellChannel(tx, channel, telling)) written += 1
  }
  return written
}

async function tellChannel(
  tx: Queryable,
  channel: ListedChannel,
  { now, publicUrl }: Telling,
): Promise<boolean> {
  const { organization_id: organizationId, user_id: userId } = channel
  const waits = Math.max(gatheringSeconds, channel.after_minutes * 60)
  const upTo = new Date(now.getTime() - waits * 1000)
  const range = { after: channel.told_until, upTo, most: mostNamed }
  if (upTo.getTime() <= Date.parse(range.after)) return false
  const begun = await newsQueries.readPortion(tx, channel, 'begun', range)
  const ended = await newsQueries.readPortion(tx, channel, 'ended', range)
  const tellsEnd = channel.tells_back || channel.kind === 'pagerduty'
  if (begun.count === 0 && (ended.count === 0 || !tellsEnd)) {
    await channelQueries.noteTold(tx, channel, { until: upTo, next: undefined })
    return false
  }
  const since = new Date(now.getTime() - 3_600_000)
  const counts = await newsQueries.countMessages(tx, organizationId, { userId, since })
  const shares = ['user', 'organization', 'tenant'] as const
  if (shares.some((share) => counts[share] >= mostAnHour[share])) return false
  const isOpen = await newsQueries.hasOpen(tx, channel)
  const content = { begun, ended: tellsEnd ? ended : undefined, publicUrl }
  const message = { ...writeMessage(channel, content), severity: begun.worst, isOpen, now }
  await newsQueries.insertMessage(tx, channel, message)
  const next = new Date(now.getTime() + betweenSeconds * 1000)
  await channelQueries.noteTold(tx, channel, { until: upTo, next })
  return true
}

interface Content {
  begun: Portion
  ended: Portion | undefined
  publicUrl: string
}

function writeMessage(
  { organization_name, time_zone: timeZone, own_formats, formats }: ListedChannel,
  { begun, ended, publicUrl }: Content,
): { subject: string; body: string; url: string } {
  const reader = { timeZone, formats: combineFormats(own_formats, formats) }
  const say = sayIn(reader.formats)
  const all = [...begun.alerts, ...(ended?.alerts ?? [])]
  const [only] = all
  const title =
    begun.count > 0 || !ended
      ? rated(begun.worst ?? 'info', titleOf(begun, say), say)
      : say('Over: {what}', { what: titleOf(ended, say) })
  const lines = [
    ...linesOf(begun, 'begun', { reader, publicUrl }),
    ...(ended ? linesOf(ended, 'ended', { reader, publicUrl }) : []),
  ]
  return {
    subject: `[${plain(organization_name)}] ${title}`,
    body: lines.join('\n'),
    url: all.length === 1 && only ? `${publicUrl}/alerts?alert=${only.id}` : `${publicUrl}/alerts`,
  }
}

function rated(severity: Severity, what: string, say: Say): string {
  if (severity === 'info') return what
  return severity === 'critical'
    ? say('Critical: {what}', { what })
    : say('Warning: {what}', { what })
}

function titleOf({ count, alerts: [first] }: Portion, say: Say): string {
  if (count === 1 && first) {
    return say('{name}: {what}', { name: nameOf(first), what: say(singleTexts[first.kind]) })
  }
  return say('{count, plural, one {# alert} other {# alerts}}', { count })
}

function linesOf(
  { count, alerts }: Portion,
  way: Way,
  { reader, publicUrl }: { reader: Reader; publicUrl: string },
): string[] {
  const say = sayIn(reader.formats)
  const over = (what: string) => (way === 'ended' ? say('Over: {what}', { what }) : what)
  const lines = alerts.map((alert) => {
    const what = way === 'ended' ? `${say(singleTexts[alert.kind])}, ` : ''
    const said = describeAlert(alert, way, reader)
    return `${over(`${what}${said}`)}: ${publicUrl}/alerts?alert=${alert.id}`
  })
  const left = count - alerts.length
  return left > 0 ? [...lines, over(say('and {count, number} more.', { count: left }))] : lines
}
