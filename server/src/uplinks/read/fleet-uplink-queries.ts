import type { Queryable } from '../../db/connect.ts'
import { textArray } from '../../db/statements.ts'
import { groupsBelow } from '../../features/fleet/inventory/groups-below.ts'
import { type TagFilter, tagPath } from '../../features/fleet/inventory/tags.ts'
import type { Moment } from '../../http/timestamps.ts'
import { euiPart } from '../../lora/eui.ts'
import { escapeHtml } from '../../sensors/render.ts'
import { renderPayload } from '../rows/message.ts'
import {
  findEnds,
  findPositions,
  ofSeries,
  oneOfSeries,
  positionOn,
  type Series,
  type SeriesEnds,
} from '../rows/series.ts'
import { type FleetUplinkRow, fleetColumns } from './fleet-uplink-record.ts'

export interface UplinkFilter {
  /** Stored at this time or later. */
  since: Date | undefined
  /** Stored before this time. */
  until: Date | undefined
  type: number | undefined
  /** The ids of a group and of all groups below it. */
  groups: readonly number[] | undefined
  tag: TagFilter | undefined
  network: string | undefined
  eventType: string | undefined
  /** Part of the device's name or EUI, or of what was decoded. */
  search: string | undefined
}

/** Numbers in a series: above `after`, up to and including `upTo`. */
export interface SeriesRange {
  after: number
  upTo: number
}

/** Uplinks that may be out of order in time: more than wait for one transaction. */
const disorder = 2000

/** Returns the part of the series that the times select; a little more at its ends. */
export async function findRange(
  db: Queryable,
  series: Series,
  { since, until }: Pick<UplinkFilter, 'since' | 'until'>,
): Promise<SeriesRange & SeriesEnds> {
  const ends = await findEnds(db, series)
  const { first, top } = ends
  const times = [since, until].flatMap((time) => time ?? [])
  const positions = times.length === 0 ? [] : await findPositions(db, series, ends, times)
  const [from = 0] = since ? positions.splice(0, 1) : []
  const [to = top] = positions
  return {
    ...ends,
    after: Math.max(first - 1, from - disorder),
    upTo: Math.min(top, to + disorder),
  }
}

type FoundUplink = FleetUplinkRow & { position: number }

/** Uplinks that a search looks at in one go; each time four times as many, for it may find enough. */
const firstPortion = 1000

/**
 * Returns the newest uplinks of a range that match, up to `most`; the caller bounds the range. A
 * search reads it in portions, for the messages that are not stored are made from the payloads here.
 */
export async function scan(
  db: Queryable,
  series: Series,
  filter: UplinkFilter,
  { after, upTo, most }: SeriesRange & { most: number },
): Promise<FoundUplink[]> {
  const { search } = filter
  if (search === undefined) {
    return scanPortion(db, series, filter, { after, upTo, most })
  }
  const found: FoundUplink[] = []
  let top = upTo
  let size = firstPortion
  for (; top > after && found.length < most; size *= 4) {
    const portion = { after: Math.max(after, top - size), upTo: top }
    const payloads = await findPayloads(db, series, portion, search)
    const rest = { ...portion, most: most - found.length }
    found.push(...(await scanPortion(db, series, filter, rest, payloads)))
    top = portion.after
  }
  return found
}

/**
 * SQL: a range of the series: `[organization, device, after, upTo]`, newest first, so that not all are read
 * where some are enough.
 */
function rangeOf(series: Series, columns: string): string {
  const position = series.deviceId === undefined ? 'ordinal' : 'device_ordinal'
  return `select * from ${ofSeries(series, columns, '$3::bigint + 1', '$4::bigint')} as uplinks
    order by uplinks.${position} desc limit $4::bigint - $3`
}

/** The payloads, in hexadecimal, whose message is not stored and has the searched text. */
async function findPayloads(
  db: Queryable,
  series: Series,
  { after, upTo }: SeriesRange,
  search: string,
): Promise<string[]> {
  const rows = await db.query<{ payloads: string | null }>(
    `select string_agg(encode(payload, 'hex'), ' ') as payloads
     from (
       select distinct payload
       from ${ofSeries(series, 'payload, decoded_message', '$3::bigint + 1', '$4::bigint')} as uplinks
       where decoded_message is null
     ) as incoming`,
    [series.organizationId, series.deviceId ?? null, after, upTo],
  )
  const searched = escapeHtml(search.toLowerCase())
  const payloads = rows[0]?.payloads?.split(' ') ?? []
  return payloads.filter((payload) => renderPayload(payload).toLowerCase().includes(searched))
}

/**
 * Those of an organization are read until there are enough. Each uplink's device and group are looked up
 * (`offset 0`): otherwise the planner hashes all devices, or all of the group, also for a page of ten.
 */
function scanPortion(
  db: Queryable,
  series: Series,
  filter: UplinkFilter,
  { after, upTo, most }: SeriesRange & { most: number },
  payloads: readonly string[] = [],
): Promise<FoundUplink[]> {
  const contains = (text: string) => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const pattern = filter.search && contains(filter.search)
  return db.query<FoundUplink>(
    `select ${fleetColumns}, uplinks.position
     from (${rangeOf(series, `uplinks.*, ${positionOn(series)} as position`)}) as uplinks
     cross join lateral (
       select * from devices
       where devices.organization_id = $1 and devices.id = uplinks.device_id offset 0
     ) as devices
     where ($6::timestamptz is null or uplinks.received_at >= $6)
       and ($7::timestamptz is null or uplinks.received_at < $7)
       and ($8::bigint is null or devices.type_id = $8)
       and ($9::text is null or devices.network = $9)
       and ($10::text is null or uplinks.event_type::text = $10)
       and ($11::bigint[] is null or exists (
         select from grouped_devices
         where grouped_devices.organization_id = $1
           and grouped_devices.device_id = uplinks.device_id
           and grouped_devices.group_id = any($11)
         offset 0
       ))
       and ($12::text is null or lower(devices.name) like $12 or lower(devices.eui) like $15
         or lower(uplinks.decoded_message) like $13
         or (uplinks.decoded_message is null and uplinks.payload in (select unnest($14::bytea[]))))
       and ($16::jsonpath is null or devices.tags @@ $16::jsonpath)
     order by uplinks.position desc
     limit $5`,
    [
      ...[series.organizationId, series.deviceId ?? null, after, upTo, most],
      ...[filter.since, filter.until, filter.type, filter.network, filter.eventType],
      ...[filter.groups, pattern, pattern && escapeHtml(pattern)],
      textArray(payloads.map((payload) => `\\x${payload}`)),
      filter.search && contains(euiPart(filter.search)),
      tagPath(filter.tag),
    ],
  )
}

/** When the uplink at a place in the series was stored. */
export async function findTime(
  db: Queryable,
  series: Series,
  at: number,
): Promise<Moment | undefined> {
  const rows = await db.query<{ received_at: Moment }>(
    `select received_at
     from ${oneOfSeries(series, 'uplinks.received_at', '$3::bigint')} as uplink`,
    [series.organizationId, series.deviceId ?? null, at],
  )
  return rows[0]?.received_at
}

/** Returns the ids of a group and of all groups below it; none when there is no such group. */
export async function findSubtree(
  db: Queryable,
  organizationId: number,
  groupId: number,
): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `with recursive ${groupsBelow('$1', '$2')}
     select id from below`,
    [organizationId, groupId],
  )
  return rows.map(({ id }) => id)
}

/** Returns the id of the device, also of a deleted one that is named by its id. */
export async function findDevice(
  db: Queryable,
  organizationId: number,
  { id, eui }: { id: number | null; eui: string | null },
  within: Pick<UplinkFilter, 'groups' | 'tag'>,
): Promise<number | undefined> {
  const rows = await db.query<{ id: number }>(
    `select id from devices
     where organization_id = $1 and id = coalesce($2, (
       select named.id from devices as named
       where named.organization_id = $1 and named.eui = $3 and named.deleted_at is null
     )) and ($4::bigint[] is null or exists (
       select from grouped_devices
       where grouped_devices.organization_id = $1 and grouped_devices.device_id = devices.id
         and grouped_devices.group_id = any($4)
     )) and ($5::jsonpath is null or devices.tags @@ $5::jsonpath)`,
    [organizationId, id, eui, within.groups, tagPath(within.tag)],
  )
  return rows[0]?.id
}
