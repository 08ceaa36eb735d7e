import type { Database, Queryable } from '../../../db/connect.ts'
import { readBriefly } from '../../../db/read-briefly.ts'
import { isoTime, isoTimeOf } from '../../../http/timestamps.ts'
import { findRange, findTime } from '../../../uplinks/read/fleet-uplink-queries.ts'
import { heardBetween } from '../../../uplinks/rows/by-ordinal.ts'
import { euiOf, receptionsOf } from '../../../uplinks/rows/receptions.ts'
import { type TagFilter, tagPath } from '../../fleet/inventory/tags.ts'

/**
 * The uplinks of a range of time, for what is told of networks and gateways. There is no index by
 * time or by gateway, which every stored uplink would pay for: the range is found in the series of
 * the organization (`series-queries.ts`), and is then one range of the primary key.
 */

/** Only the newest uplinks of a range are read beyond this number. It bounds the request. */
export const mostUplinks = 50_000

/** Uplinks are looked for among those that were stored up to this time after the range. */
const latest = 60 * 60_000

/** The frames come in so many portions, between which other requests have their turn. */
const portions = 16

export interface FrameRange {
  /** Included. */
  since: Date
  /** Not included. */
  until: Date
}

export interface FrameFilter {
  network: string | undefined
  /** The ids of a group and of all groups below it. */
  groups?: readonly number[] | undefined
  tag?: TagFilter | undefined
  /** Then signals are those at this gateway. */
  gateway?: { id: number; eui: string } | undefined
}

export interface ReadFrames {
  /** Lines as `parseFrame` reads them: all frames of a device together, in order of time. */
  portions: readonly string[]
  isComplete: boolean
  /** What the frames begin with: that of the range, or a later time. */
  since: string
}

/** The part of an uplink that is about radio. */
export interface CoverageFrame {
  deviceId: number
  /** Milliseconds. */
  time: number
  fCnt: number
  dataRate: string | null
  payloadBytes: number
  rssi: number | undefined
  snr: number | undefined
  /** Whether the gateway of the filter heard it; true without such a gateway. */
  isHeard: boolean
  /** Whether it heard it best. */
  isBest: boolean
}

export async function readFrames(
  db: Database,
  organizationId: number,
  { since, until }: FrameRange,
  filter: FrameFilter,
): Promise<ReadFrames | 'too_much'> {
  const series = { organizationId, deviceId: undefined }
  const stored = { since, until: new Date(until.getTime() + latest) }
  const range = await findRange(db, series, stored)
  const after = Math.max(range.after, range.upTo - mostUplinks)
  const isComplete = after === range.after
  const begin = isComplete ? undefined : await findTime(db, series, after + 1)
  const upTo = Math.max(after, range.upTo)
  const rows = await readBriefly(db, 'too_much', (tx) =>
    query(tx, [organizationId, after, upTo, since, until], filter),
  )
  if (rows === 'too_much') return rows
  const portions = rows.map(({ lines }) => lines)
  return { portions, isComplete, since: begin ? isoTime(begin) : isoTimeOf(since) }
}

/** SQL: RSSI, SNR, `h` where the gateway heard it and `b` where it heard it best. */
const ofNetwork = `coalesce(read.rssi::text, ''), coalesce(read.snr::text, ''), 'hb'`

/** The first reception is the best one. `other` gateways need not name themselves. */
const ofGateway = `coalesce(reception.rssi::text, ''), coalesce(reception.snr::text, ''),
    case when reception.is_heard or devices.gateway_id = $10 then 'h' else '' end
      || case when ${euiOf('read.best')} = $9
        or (read.best = '' and devices.gateway_id = $10) then 'b' else '' end`

const atGateway = `left join lateral (
      select true as is_heard, gateway.rssi, gateway.snr
      from ${receptionsOf('read')} as gateway
      where ${euiOf('gateway.gateway_eui')} = $9
      limit 1
    ) as reception on true`

/**
 * `$1` organization, `$2` and `$3` ordinals, `$4` and `$5` times, `$6` network, `$7` groups, `$8` tag,
 * `$9` and `$10` EUI and id of the gateway.
 */
const framesQuery = (columns: string, reception: string) => `with read as materialized (
    select uplinks.ordinal, uplinks.device_id, uplinks.event_time, uplinks.f_cnt,
      uplinks.data_rate, octet_length(uplinks.payload) as bytes, uplinks.rssi, uplinks.snr,
      uplinks.receptions,
      coalesce(uplinks.receptions -> 0 ->> 0, '') as best
    from ${heardBetween('uplinks.*', { after: '$2::bigint', upTo: '$3::bigint', since: '$4', until: '$5' })}
      as uplinks
  ), frames as (
    select read.device_id, read.event_time, read.ordinal, concat_ws(E'\\t', read.device_id,
      floor(extract(epoch from read.event_time) * 1000)::bigint, read.f_cnt,
      coalesce(read.data_rate, ''), read.bytes, ${columns}) as line
    from read
    join devices on devices.organization_id = $1 and devices.id = read.device_id
      and devices.deleted_at is null and ($6::text is null or devices.network = $6)
    ${reception}
    where ($7::bigint[] is null or exists (
      select from grouped_devices
      where grouped_devices.organization_id = $1 and grouped_devices.device_id = read.device_id
        and grouped_devices.group_id = any($7)
    )) and ($8::jsonpath is null or devices.tags @@ $8::jsonpath)
  )
  select string_agg(line, E'\\n' order by device_id, event_time, ordinal) as lines
  from frames
  group by mod(device_id, ${portions})`

const networkQuery = framesQuery(ofNetwork, '')
const gatewayQuery = framesQuery(ofGateway, atGateway)

function query(
  tx: Queryable,
  range: readonly unknown[],
  { network, groups, tag, gateway }: FrameFilter,
): Promise<{ lines: string }[]> {
  const values = [...range, network ?? null, groups ?? null, tagPath(tag)]
  return gateway
    ? tx.query(gatewayQuery, [...values, gateway.eui, gateway.id])
    : tx.query(networkQuery, values)
}

export function parseFrame(line: string): CoverageFrame {
  const [deviceId, time, fCnt, dataRate = '', bytes, rssi, snr, marks = ''] = line.split('\t')
  return {
    deviceId: Number(deviceId),
    time: Number(time),
    fCnt: Number(fCnt),
    dataRate: dataRate === '' ? null : dataRate,
    payloadBytes: Number(bytes),
    rssi: rssi ? Number(rssi) : undefined,
    snr: snr ? Number(snr) : undefined,
    isHeard: marks.startsWith('h'),
    isBest: marks.endsWith('b'),
  }
}
