import type { Queryable } from '../../../db/connect.ts'
import { hasAllTags } from '../../../lora/tag-filter.ts'
import { selectGrouped } from '../live/event-queries.ts'
import type { ClaimedWebhook } from './claim-queries.ts'
import { inOrder, type OutgoingEvent, toUplinkEvent, writeBody } from './outgoing-event.ts'
import {
  findBlocked,
  isFull,
  listDueRows,
  listProbe,
  readUplinks,
  type WaitingRow,
} from './waiting-queries.ts'
import { holdingFailures } from './webhook-kinds.ts'

/** Events of one portion: the work of a second or two. */
const mostRows = 100
const mostNews = 200
const mostReplayed = 100

/** What a webhook has to send. */
export interface Portion {
  /** In the order in which they are sent. */
  events: OutgoingEvent[]
  /** Behind a delivery of their device that waits for another try. */
  blocked: OutgoingEvent[]
  /** Rows that are not sent any more: filtered out, or their uplink is deleted. */
  dropped: number[]
  /** Where the cursors are when all of it is settled. */
  newsTo: number
  replayTo: number | null
  /** One event at most, because the receiver fails. */
  isProbe: boolean
}

export async function gatherPortion(
  db: Queryable,
  webhook: ClaimedWebhook,
  now: Date,
): Promise<Portion> {
  const isProbe = webhook.failures >= holdingFailures
  const news = newsOf(webhook)
  // A probe takes turns, so that one event that is always refused does not stand for the receiver.
  const rows = await readRows(db, webhook, {
    now,
    isProbe,
    isSkipped: webhook.failures % 2 === 1 && news.length > 0,
  })
  const isClosed = (isProbe && rows.length > 0) || (await isFullBehind(db, webhook, rows))
  const replayed = isClosed ? [] : replayOf(webhook)
  const taken = isClosed ? [] : news
  const found = await toEvents(db, webhook, { rows, news: taken, replayed })
  const admitted = await admit(db, webhook, found)
  const kept = new Set(
    admitted.flatMap(({ source }) => (typeof source === 'object' ? source.id : [])),
  )
  const waits = await findBlocked(db, webhook, {
    devices: [...new Set(admitted.map(({ device }) => device.device_id))],
    taken: rows.map(({ id }) => id),
  })
  const isBlocked = ({ source, device }: OutgoingEvent) =>
    typeof source !== 'object' && waits.has(device.device_id)
  return {
    events: inOrder(admitted.filter((event) => !isBlocked(event))),
    blocked: admitted.filter(isBlocked),
    dropped: rows.map(({ id }) => id).filter((id) => !kept.has(id)),
    newsTo: taken.at(-1) ?? webhook.uplink_ordinal,
    replayTo: replayed.at(-1) ?? webhook.replay_ordinal,
    isProbe,
  }
}

function newsOf({ events, uplink_ordinal: after, uplink_count: end }: ClaimedWebhook): number[] {
  return events.includes('uplink') ? range(after, Math.min(end, after + mostNews)) : []
}

function replayOf({ replay_ordinal: after, replay_until: end }: ClaimedWebhook): number[] {
  return after === null || end === null ? [] : range(after, Math.min(end, after + mostReplayed))
}

function range(after: number, upTo: number): number[] {
  return Array.from({ length: Math.max(0, upTo - after) }, (_, index) => after + 1 + index)
}

async function readRows(
  db: Queryable,
  webhook: ClaimedWebhook,
  { now, isProbe, isSkipped }: { now: Date; isProbe: boolean; isSkipped: boolean },
): Promise<WaitingRow[]> {
  if (!isProbe) return listDueRows(db, webhook, { now, most: mostRows })
  return isSkipped ? [] : listProbe(db, webhook)
}

async function isFullBehind(
  db: Queryable,
  webhook: ClaimedWebhook,
  rows: readonly WaitingRow[],
): Promise<boolean> {
  return (webhook.failures > 0 || rows.length === mostRows) && isFull(db, webhook)
}

interface Sources {
  rows: readonly WaitingRow[]
  news: readonly number[]
  replayed: readonly number[]
}

async function toEvents(
  db: Queryable,
  { organization_id }: ClaimedWebhook,
  { rows, news, replayed }: Sources,
): Promise<OutgoingEvent[]> {
  const stored = rows.flatMap(({ ordinal }) => ordinal ?? [])
  const uplinks = await readUplinks(db, organization_id, [...stored, ...news, ...replayed])
  const byOrdinal = new Map(uplinks.map((uplink) => [uplink.ordinal, uplink]))
  const toUplinks = (ordinals: readonly number[], source: 'news' | 'replay') =>
    ordinals.flatMap((ordinal) => {
      const uplink = byOrdinal.get(ordinal)
      return uplink ? toUplinkEvent(organization_id, uplink, source) : []
    })
  const ofRows = rows.flatMap((row) => {
    if (row.ordinal === null) return toStoredEvent(organization_id, row)
    const uplink = byOrdinal.get(row.ordinal)
    return uplink ? toUplinkEvent(organization_id, uplink, row) : []
  })
  return [...ofRows, ...toUplinks(replayed, 'replay'), ...toUplinks(news, 'news')]
}

function toStoredEvent(organizationId: number, row: WaitingRow): OutgoingEvent {
  return {
    id: `${row.kind}_${organizationId}_${row.id}`,
    kind: row.kind,
    device: row,
    happenedAt: row.happened_at,
    ordinal: undefined,
    source: row,
    body: () => writeBody(row.kind, row.happened_at, dataOf(row)),
  }
}

function dataOf({ data, device_id, device_eui, device_name, device_type_id, ...row }: WaitingRow) {
  const { network, tags } = row
  if (device_id === 0) {
    const none = { did: null, device_id: null, device_name: null, device_type_id: null }
    return { ...none, tags: null, ...data }
  }
  const device = { did: device_id, device_id: device_eui, device_name, device_type_id }
  return { ...device, network, tags, ...data }
}

/** What the filters of the webhook let pass, as they are now. */
async function admit(
  db: Queryable,
  { organization_id, group_id, type_id, network, tag }: ClaimedWebhook,
  events: readonly OutgoingEvent[],
): Promise<OutgoingEvent[]> {
  const matching = events.filter(
    ({ device }) =>
      (type_id === null || device.device_type_id === type_id) &&
      (network === null || device.network === network) &&
      (tag === null || hasAllTags(device.tags, tag)),
  )
  if (group_id === null || matching.length === 0) return matching
  const ids = [...new Set(matching.map(({ device }) => device.device_id))]
  const grouped = await selectGrouped(db, organization_id, group_id, ids)
  return matching.filter(({ device }) => grouped.has(device.device_id))
}
