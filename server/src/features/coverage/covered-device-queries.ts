import type { Queryable } from '../../db/connect.ts'
import type { Moment } from '../../http/timestamps.ts'
import { type ReadRange, readUplinks } from '../uplinks/hearing-queries.ts'
import { receptionsOf } from '../uplinks/stored-receptions.ts'

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
  /** Uplinks that one gateway alone heard. */
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
 * Reads the newest uplinks of the organization, as `hearing-queries.ts` does: one range of the
 * primary key, however large the fleet is. `$1` organization, `$2` number of uplinks, `$3` network,
 * `$4` groups, `$5` number of gateways, `$6` the only gateway, `$7` limit, `$8` offset. A gateway
 * of kind `other` hears what it delivers, and need not name itself in it.
 */
const coveredQuery = `with read as materialized (
    select uplinks.ordinal, uplinks.device_id, uplinks.event_time, uplinks.receptions,
      uplinks.gateways
    from organization_counters as counter
    cross join lateral (
      select array(
        select generate_series(
          greatest(counter.uplink_count - $2::bigint + 1, counter.first_ordinal),
          counter.uplink_count
        )
      ) as ordinals
      offset 0
    ) as page
    join uplinks on uplinks.organization_id = counter.organization_id
      and uplinks.ordinal = any(page.ordinals)
    where counter.organization_id = $1
  ), extent as (
    select count(*) as read_uplinks, min(event_time) as read_since from read
  ), chosen as (
    select devices.id, devices.device_eui, devices.name, devices.network, own.eui as own_eui
    from devices
    left join gateways as own on own.organization_id = $1 and own.id = devices.gateway_id
    where devices.organization_id = $1 and devices.deleted_at is null
      and devices.id in (select read.device_id from read)
      and ($3::text is null or devices.network = $3)
      and ($4::bigint[] is null or exists (
        select from grouped_devices
        where grouped_devices.organization_id = $1 and grouped_devices.device_id = devices.id
          and grouped_devices.group_id = any($4)
      ))
  ), counted as (
    select read.device_id, count(*) as uplinks, max(read.event_time) as last_heard
    from read
    group by read.device_id
  ), heard as (
    select chosen.id, reception.eui, count(*) as uplinks,
      count(*) filter (where reception.hearers = 1) as single_uplinks,
      avg(reception.rssi) as rssi, avg(reception.snr) as snr
    from read
    join chosen on chosen.id = read.device_id
    cross join lateral (
      select named.eui, max(named.rssi) as rssi, max(named.snr) as snr, count(*) over () as hearers
      from (
        select translate(upper(told.gateway_eui), '-:', '') as eui, told.rssi, told.snr
        from ${receptionsOf('read')} as told
        where told.gateway_eui <> ''
        union all
        select chosen.own_eui, null, null where chosen.own_eui is not null
      ) as named
      group by named.eui
    ) as reception
    group by chosen.id, reception.eui
  ), ranked as (
    select heard.*, row_number() over (
        partition by heard.id order by heard.uplinks desc, heard.eui
      ) as place,
      count(*) over (partition by heard.id) as gateways,
      sum(heard.single_uplinks) over (partition by heard.id)::bigint as singles
    from heard
  ), listed as (
    select chosen.id, chosen.device_eui, chosen.name, chosen.network, counted.last_heard,
      counted.uplinks, coalesce(main.gateways, 0) as gateways,
      coalesce(main.singles, 0) as single_uplinks, main.eui as main_eui,
      main.uplinks as main_uplinks, main.rssi, main.snr
    from chosen
    join counted on counted.device_id = chosen.id
    left join ranked as main on main.id = chosen.id and main.place = 1
    where ($5::bigint is null or coalesce(main.gateways, 0) = $5)
      and ($6::text is null or (main.gateways = 1 and main.eui = $6))
  ), page as (
    select listed.*
    from listed
    order by listed.gateways, lower(listed.name), listed.id
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
  order by page.gateways, lower(page.name), page.id`

/** Lists devices, those that the fewest gateways hear first, and the total. */
export async function listCoveredDevices(
  db: Queryable,
  organizationId: number,
  { network, groups, gateways, onlyEui }: CoverageFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ read: ReadRange; total: number; devices: CoveredDevice[] }> {
  const rows = await db.query<CoveredDevice & Extent & { total: number }>(coveredQuery, [
    ...[organizationId, readUplinks, network ?? null, groups ?? null],
    ...[gateways ?? null, onlyEui ?? null, limit, offset],
  ])
  const first = rows[0]
  return {
    read: { uplinks: first?.read_uplinks ?? 0, since: first?.read_since ?? null },
    total: first?.total ?? 0,
    devices: rows.filter((row) => (row.id as number | null) !== null),
  }
}
