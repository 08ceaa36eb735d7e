import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { gatewayVerdictAt, ofUsual } from '../../fleet/gateways/gateway-verdict-queries.ts'
import { hasLowBattery, isTampered } from '../../fleet/inventory/coarse-states.ts'
import { findDeviceCount } from '../../fleet/inventory/device-count-queries.ts'
import {
  unusualDevices,
  type VerdictCounts,
  verdictCounts,
} from '../../fleet/inventory/verdict-queries.ts'
import { findVerdictWindow } from '../../people/organizations/organization-queries.ts'

/** What is counted of the devices, as the filters of `GET /fleet/devices` select them. */
export interface DeviceCounts extends VerdictCounts {
  total: number
  never_heard: number
  low_battery: number
  tampered: number
  pending: number
  register_error: number
  waiting: number
}

/** The counts, and the silent devices that were heard last within a week: their absence is new. */
export interface CountedDevices {
  counts: DeviceCounts
  silent: ProblemDevice[]
}

/**
 * Counts what is unusual, by indexes that hold little else: devices that are not ok, those that their
 * network does not have, and waiting downlinks. The others are the rest of the devices, whose number is
 * known.
 */
export async function countDevices(
  db: Queryable,
  organizationId: number,
  { now, named }: { now: Date; named: number },
): Promise<CountedDevices> {
  const window = await findVerdictWindow(db, organizationId)
  const counted = await findDeviceCount(db, organizationId, 5)
  const rows = await db.query<DeviceCounts & { newly_silent: ProblemDevice[] }>(
    `with unusual as materialized ${unusualDevices('$1', '$2', '$4')}
     select own.device_count as total, counted.*, (
         select count(distinct devices.id) from downlinks
         join devices on devices.organization_id = downlinks.organization_id
           and devices.id = downlinks.device_id and devices.deleted_at is null
         where downlinks.organization_id = $1 and downlinks.state in ('queued', 'handed_over')
       ) as waiting, (
         select count(*) from devices
         where organization_id = $1 and deleted_at is null
           and register_status <> 'active' and register_status = 'pending'
       ) as pending, coalesce((
         select json_agg(newly) from (
           select devices.id, devices.device_eui, devices.name, unusual.last_seen::text,
             null as register_error
           from unusual
           join devices on devices.organization_id = $1 and devices.id = unusual.id
           where unusual.verdict = 'silent'
             and unusual.last_seen >= $2::timestamptz - interval '7 days'
           order by unusual.last_seen desc, unusual.id desc
           limit $3
         ) as newly
       ), '[]') as newly_silent
     from (
       select ${verdictCounts('0')},
         count(*) filter (where unusual.last_seen is null) as never_heard,
         count(*) filter (where ${hasLowBattery('unusual')}) as low_battery,
         count(*) filter (where ${isTampered('unusual')}) as tampered,
         count(*) filter (where unusual.register_status = 'register_error') as register_error
       from unusual
     ) as counted
     left join ${counted.text} as own on true`,
    [organizationId, now, named, window, ...counted.values],
  )
  const { newly_silent: silent, ...counts } = rows[0] as (typeof rows)[number]
  const { total, ok, heard } = counts
  return { counts: { ...counts, ok: total + ok, heard: total + heard }, silent }
}

export interface OtherCounts {
  gateways: VerdictCounts & { total: number; register_error: number }
  downlinks: number
  quarantine: number
}

/** A few thousand gateways, an index of the waiting downlinks (`downlinks_open`), and a counter. */
export async function countOthers(
  db: Queryable,
  organizationId: number,
  now: Date,
): Promise<OtherCounts> {
  const rows = await db.query<OtherCounts>(
    `select (
         select count(*) from downlinks
         where downlinks.organization_id = $1 and downlinks.state in ('queued', 'handed_over')
       ) as downlinks, coalesce((
         select counters.quarantine_count from organization_counters as counters
         where counters.organization_id = $1
       ), 0) as quarantine, to_json(gateways) as gateways
     from (
       select count(*) as total, ${verdictCounts('count(*)')},
         count(*) filter (where unusual.register_status = 'register_error') as register_error
       from (
         select gateways.register_status, ${gatewayVerdictAt('$2')} as verdict
         from gateways
         join gateway_states as states on states.organization_id = gateways.organization_id
           and states.gateway_id = gateways.id
         ${ofUsual}
         where gateways.organization_id = $1 and gateways.deleted_at is null
       ) as unusual
     ) as gateways`,
    [organizationId, now],
  )
  return rows[0] as OtherCounts
}

export interface ProblemDevice {
  id: number
  device_eui: string
  name: string
  last_seen: Moment | null
  register_error: string | null
}

/** The registrations that failed last. Reads all that failed. */
export function listFailedRegistrations(
  db: Queryable,
  organizationId: number,
  most: number,
): Promise<ProblemDevice[]> {
  return db.query<ProblemDevice>(
    `select devices.id, devices.device_eui, devices.name, null as last_seen, devices.register_error
     from devices
     where organization_id = $1 and deleted_at is null
       and register_status = 'register_error' and register_status <> 'active'
     order by updated_at desc
     limit $2`,
    [organizationId, most],
  )
}
