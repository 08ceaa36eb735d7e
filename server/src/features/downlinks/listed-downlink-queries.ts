import type { Queryable } from '../../db/connect.ts'
import type { Moment } from '../../http/timestamps.ts'
import { devicesBelow } from '../fleet/inventory/device-selection-queries.ts'
import { type TagFilter, tagPath } from '../fleet/inventory/tags.ts'
import type { DownlinkSection, DownlinkState, HistoryEvent } from './downlink-states.ts'

/** A downlink of a list, with its device and the steps of its way. */
export interface ListedDownlink {
  id: number
  device_id: number
  device_eui: string
  device_name: string
  device_type_id: number
  network: string
  section: DownlinkSection
  payload: Buffer
  f_port: number
  state: DownlinkState
  attempts: number
  last_error: string | null
  is_uncertain: boolean
  is_confirmed: boolean
  is_cancelling: boolean
  expires_at: Moment | null
  handed_over_at: Moment | null
  user_id: number
  user_name: string
  /** The number of downlinks up to it that wait for the device; null when it does not wait. */
  place: number | null
  /** The first characters of the codec's input. Null if no codec encoded the message. */
  codec_data: string | null
  codec_warnings: string[] | null
  history: { event_name: HistoryEvent; reason: string | null; time: Moment }[]
}

/** Columns of a `ListedDownlink` of `page`, which has the ids of the downlinks to list. */
const listed = `select downlinks.id, downlinks.device_id, devices.device_eui,
    devices.name as device_name, devices.type_id as device_type_id, devices.network,
    downlinks.section, downlinks.payload, downlinks.f_port, downlinks.state, downlinks.attempts,
    downlinks.last_error, downlinks.is_uncertain, downlinks.is_confirmed,
    coalesce(downlinks.cancelling_until > now(), false)
      and downlinks.state in ('queued', 'handed_over', 'sent') as is_cancelling,
    downlinks.expires_at, downlinks.handed_over_at, downlinks.user_id,
    trim(users.first_name || ' ' || users.last_name) as user_name,
    case when downlinks.state in ('queued', 'handed_over') then (
      select count(*) from downlinks as earlier
      where earlier.organization_id = $1
        and earlier.device_id = downlinks.device_id and earlier.id <= downlinks.id
        and earlier.state in ('queued', 'handed_over')
    ) end as place,
    left(downlinks.field_values ->> 'codec_data', 500) as codec_data,
    downlinks.field_values -> 'codec_warnings' as codec_warnings,
    (
      select coalesce(json_agg(json_build_object(
        'event_name', history.event_name, 'reason', history.reason,
        'time', to_char(history.published_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00'
      ) order by history.id), '[]')
      from downlink_history as history
      where history.organization_id = $1
        and history.downlink_id = downlinks.id
    ) as history
  from page
  join downlinks on downlinks.organization_id = $1 and downlinks.id = page.id
  join devices on devices.organization_id = downlinks.organization_id
    and devices.id = downlinks.device_id
  join users on users.id = downlinks.user_id`

interface ListPart {
  /** The id of the last downlink of the page before; undefined for the first page. */
  after: number | undefined
  limit: number
}

/**
 * Lists the downlinks of a device, the newest first. A page is one range of an index; the count
 * reads as many entries of it as the device has downlinks.
 */
export async function listOfDevice(
  db: Queryable,
  organizationId: number,
  deviceId: number,
  { after, limit }: ListPart,
): Promise<{ total: number; downlinks: ListedDownlink[] }> {
  const [counted, downlinks] = await Promise.all([
    db.query<{ total: number }>(
      'select count(*) as total from downlinks where organization_id = $1 and device_id = $2',
      [organizationId, deviceId],
    ),
    db.query<ListedDownlink>(
      `with page as (
         select id from downlinks
         where organization_id = $1 and device_id = $2 and id < coalesce($3, 9223372036854775807)
         order by id desc limit $4
       )
       ${listed}
       order by downlinks.id desc`,
      [organizationId, deviceId, after, limit],
    ),
  ])
  return { total: counted[0]?.total ?? 0, downlinks }
}

/** The condition of the index `downlinks_noted`. */
const notedStates = `in ('queued', 'handed_over', 'rejected', 'failed')`

/** Which downlinks of an organization a list has. */
interface FleetFilter {
  states: readonly DownlinkState[] | readonly ['expired']
  /** Of devices in this group and in the groups below it; undefined for all devices. */
  group: number | undefined
  /** Of devices with this tag. */
  tag: TagFilter | undefined
}

/**
 * Lists the downlinks of an organization in these states, the newest first. The index
 * `downlinks_noted` has these states only, and `downlinks_expired` the expired ones, each in the
 * order of the ids: a page reads `limit` entries of each state, and the count no row. With a group or a tag both look at all downlinks in these
 * states.
 */
export async function listOfOrganization(
  db: Queryable,
  organizationId: number,
  { states, group, tag }: FleetFilter,
  { after, limit }: ListPart,
): Promise<{ total: number; downlinks: ListedDownlink[] }> {
  const within = (ofGroup: string, ofTag: string) =>
    (group ?? tag) === undefined
      ? ''
      : `and (${ofGroup}::bigint is null or downlinks.device_id in (${devicesBelow('$1', ofGroup)}))
         and (${ofTag}::jsonpath is null or downlinks.device_id in (
           select devices.id from devices
           where devices.organization_id = $1 and devices.tags @@ ${ofTag}::jsonpath
         ))`
  const chosen = (group ?? tag) === undefined ? [] : [group, tagPath(tag)]
  const indexed = states[0] === 'expired' ? `= 'expired'` : notedStates
  const [counted, downlinks] = await Promise.all([
    db.query<{ total: number }>(
      `select count(*) as total from downlinks
       where organization_id = $1 and state = any($2::text[])
         and state ${indexed} ${within('$3', '$4')}`,
      [organizationId, states, ...chosen],
    ),
    db.query<ListedDownlink>(
      `with page as (
         select newest.id
         from unnest($2::text[]) as wanted (state)
         cross join lateral (
           select downlinks.id from downlinks
           where downlinks.organization_id = $1 and downlinks.state = wanted.state
             and downlinks.state ${indexed}
             and downlinks.id < coalesce($3, 9223372036854775807) ${within('$5', '$6')}
           order by downlinks.id desc limit $4
         ) as newest
         order by newest.id desc limit $4
       )
       ${listed}
       order by downlinks.id desc`,
      [organizationId, states, after, limit, ...chosen],
    ),
  ])
  return { total: counted[0]?.total ?? 0, downlinks }
}

/** One downlink of a device; undefined if the device has no such downlink. */
export async function findOfDevice(
  db: Queryable,
  organizationId: number,
  deviceId: number,
  id: number,
): Promise<ListedDownlink | undefined> {
  const rows = await db.query<ListedDownlink>(
    `with page as (
       select id from downlinks where organization_id = $1 and device_id = $2 and id = $3
     )
     ${listed}`,
    [organizationId, deviceId, id],
  )
  return rows[0]
}
