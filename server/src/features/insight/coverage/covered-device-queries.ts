import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { type ReadRange, readUplinks } from '../../../uplinks/read/heard-queries.ts'
import { readNewest } from '../../../uplinks/rows/newest.ts'
import { nameOfGateway, receptionsOf } from '../../../uplinks/rows/receptions.ts'
import { type TagFilter, tagPath } from '../../fleet/inventory/tags.ts'

/** A device, and how many gateways hear it. */
export interface CoveredDevice {
  id: number
  device_eui: string
  name: string
  network: string
  last_heard: Moment
  uplinks: number
  /** Gateways that heard one of these uplinks or more; 0 where the network names none. */
  gateways: number
  /** Uplinks that only one gateway heard. */
  single_uplinks: number
  /** The gateway that heard the most of them. */
  main_eui: string | null
  /** Of the registered gateway; null where the organization has none with this EUI. */
  main_id: number | null
  main_name: string | null
  main_uplinks: number | null
  /** Means at that gateway. */
  rssi: number | null
  snr: number | null
}

export interface CoverageFilter {
  network: string | undefined
  /** The ids of a group and of all groups below it. */
  groups: readonly number[] | undefined
  tag: TagFilter | undefined
  /** Heard by this number of gateways. */
  gateways: number | undefined
  /** Heard by this gateway and no other. */
  onlyEui: string | undefined
}

interface Extent {
  read_uplinks: number
  read_since: Moment | null
}

/**
 * Reads the newest uplinks of the organization. `$1` organization, `$2` number of uplinks, `$3` network,
 * `$4` groups, `$5` number of gateways, `$6` the only gateway, `$7` limit, `$8` offset, `$9` tag. A gateway
 * of kind `other` hears what it delivers, and need not name itself in it. What belongs to a device is
 * put together by windows: the planner takes the uplinks for a few, and would join each with all.
 */
const coveredQuery = `with ${readNewest('uplinks.ordinal, uplinks.device_id, uplinks.event_time, uplinks.receptions')}, extent as (
    select count(*) as read_uplinks, min(event_time) as read_since from read
  ), pairs as (
    select devices.id, devices.device_eui, devices.name, devices.name_order, devices.network,
      reception.eui,
      count(*) as uplinks, count(*) filter (where reception.hearers = 1) as singles,
      count(*) filter (where coalesce(reception.place, 1) = 1) as firsts,
      max(read.event_time) as last_heard, avg(reception.rssi) as rssi, avg(reception.snr) as snr
    from read
    join devices on devices.organization_id = $1 and devices.id = read.device_id
      and devices.deleted_at is null and ($3::text is null or devices.network = $3)
    left join gateways as own on own.organization_id = $1 and own.id = devices.gateway_id
    left join lateral (
      select named.eui, max(named.rssi) as rssi, max(named.snr) as snr,
        count(*) over () as hearers, row_number() over () as place
      from (
        select ${nameOfGateway('told.gateway_eui')} as eui, told.rssi, told.snr
        from ${receptionsOf('read')} as told
        where told.gateway_eui <> ''
        union all
        select own.eui, null, null where own.eui is not null
      ) as named
      group by named.eui
    ) as reception on true
    where ($4::bigint[] is null or exists (
      select from grouped_devices
      where grouped_devices.organization_id = $1 and grouped_devices.device_id = read.device_id
        and grouped_devices.group_id = any($4)
    )) and ($9::jsonpath is null or devices.tags @@ $9::jsonpath)
    group by devices.id, devices.device_eui, devices.name, devices.name_order, devices.network,
      reception.eui
  ), ranked as (
    select pairs.*, count(pairs.eui) over device as gateways,
      sum(pairs.singles) over device as all_singles, sum(pairs.firsts) over device as all_uplinks,
      max(pairs.last_heard) over device as last_of_all,
      row_number() over (
        partition by pairs.id order by pairs.eui is null, pairs.uplinks desc, pairs.eui
      ) as place
    from pairs
    window device as (partition by pairs.id)
  ), listed as (
    select ranked.id, ranked.device_eui, ranked.name, ranked.name_order, ranked.network,
      ranked.last_of_all as last_heard, ranked.all_uplinks::bigint as uplinks, ranked.gateways,
      ranked.all_singles::bigint as single_uplinks, ranked.eui as main_eui,
      ranked.uplinks as main_uplinks, ranked.rssi, ranked.snr
    from ranked
    where ranked.place = 1 and ($5::bigint is null or ranked.gateways = $5)
      and ($6::text is null or (ranked.gateways = 1 and ranked.eui = $6))
  ), page as (
    select listed.*
    from listed
    order by listed.gateways, listed.name_order, listed.id
    limit (select $7::bigint) offset (select $8::bigint)
  )
  select extent.read_uplinks, extent.read_since, (select count(*) from listed) as total, page.*,
    registered.id as main_id, registered.name as main_name
  from extent
  left join page on true
  left join lateral (
    select gateways.id, gateways.name
    from gateways
    where gateways.organization_id = $1 and gateways.deleted_at is null
      and gateways.network in (page.network, 'other') and gateways.eui = page.main_eui
    order by gateways.network = page.network desc
    limit 1
  ) as registered on true
  order by page.gateways, page.name_order, page.id`

/** Lists devices, those that the fewest gateways hear first, and the total. */
export async function listCoveredDevices(
  db: Queryable,
  organizationId: number,
  { network, groups, tag, gateways, onlyEui }: CoverageFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ read: ReadRange; total: number; devices: CoveredDevice[] }> {
  const rows = await db.query<CoveredDevice & Extent & { total: number }>(coveredQuery, [
    organizationId,
    readUplinks,
    network ?? null,
    groups ?? null,
    gateways ?? null,
    onlyEui ?? null,
    limit,
    offset,
    tagPath(tag),
  ])
  const first = rows[0]
  return {
    read: { uplinks: first?.read_uplinks ?? 0, since: first?.read_since ?? null },
    total: first?.total ?? 0,
    devices: rows.filter((row) => (row.id as number | null) !== null),
  }
}
