import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import {
  hasLowBattery,
  isSilent,
  isTampered,
  isWarned,
  ofLivingDevices,
  periodOf,
} from '../../fleet/inventory/coarse-states.ts'

/** What is counted of the devices, as the filters of `GET /fleet/devices` select them. */
export interface DeviceCounts {
  total: number
  heard: number
  silent: number
  never_heard: number
  low_battery: number
  tampered: number
  pending: number
  register_error: number
  waiting: number
}

/**
 * Counts what is unusual, by indexes that hold little else: silent devices, those with warnings, those
 * that their network does not have, and waiting downlinks. The others are the rest of the devices, whose
 * number is known.
 */
export async function countDevices(
  db: Queryable,
  organizationId: number,
  heardSince: Date,
): Promise<DeviceCounts> {
  const rows = await db.query<Omit<DeviceCounts, 'heard'>>(
    `select (select device_count from organizations where id = $1) as total,
       quiet.*, warned.*, unregistered.*, (
         select count(distinct devices.id) from downlinks
         join devices on devices.organization_id = downlinks.organization_id
           and devices.id = downlinks.device_id and devices.deleted_at is null
         where downlinks.organization_id = $1 and downlinks.state in ('queued', 'handed_over')
       ) as waiting
     from (
       select count(*) as silent, count(*) filter (where states.last_seen is null) as never_heard
       from device_states as states ${ofLivingDevices}
       where states.organization_id = $1 and ${isSilent('$2::timestamptz')}
     ) as quiet
     cross join (
       select count(*) filter (where ${hasLowBattery}) as low_battery,
         count(*) filter (where ${isTampered}) as tampered
       from device_states as states ${ofLivingDevices}
       where states.organization_id = $1 and ${isWarned}
     ) as warned
     cross join (
       select count(*) filter (where register_status = 'pending') as pending,
         count(*) filter (where register_status = 'register_error') as register_error
       from devices
       where organization_id = $1 and deleted_at is null and register_status <> 'active'
     ) as unregistered`,
    [organizationId, heardSince],
  )
  const counts = rows[0] as Omit<DeviceCounts, 'heard'>
  return { ...counts, heard: counts.total - counts.silent }
}

export interface OtherCounts {
  gateways: number
  gateways_heard: number
  gateways_silent: number
  gateway_errors: number
  downlinks: number
  quarantine: number
}

/** A few thousand gateways, an index of the waiting downlinks (`downlinks_open`), and a counter. */
export async function countOthers(
  db: Queryable,
  organizationId: number,
  gatewayHeardSince: Date,
): Promise<OtherCounts> {
  const rows = await db.query<OtherCounts>(
    `select gateways.*, (
         select count(*) from downlinks
         where downlinks.organization_id = $1 and downlinks.state in ('queued', 'handed_over')
       ) as downlinks, coalesce((
         select counters.quarantine_count from organization_counters as counters
         where counters.organization_id = $1
       ), 0) as quarantine
     from (
       select count(*) as gateways,
         count(*) filter (where states.last_seen >= $2) as gateways_heard,
         count(*) filter (where states.last_seen < $2 or states.last_seen is null)
           as gateways_silent,
         count(*) filter (where gateways.register_status = 'register_error') as gateway_errors
       from gateways
       join gateway_states as states on states.organization_id = gateways.organization_id
         and states.gateway_id = gateways.id
       where gateways.organization_id = $1 and gateways.deleted_at is null
     ) as gateways`,
    [organizationId, gatewayHeardSince],
  )
  return rows[0] as OtherCounts
}

export function listAccounts(
  db: Queryable,
  organizationId: number,
): Promise<{ network: string; status: string; status_message: string; is_heard: boolean }[]> {
  return db.query(
    `select network, status, status_message, callback_heard_at is not null as is_heard
     from network_accounts where organization_id = $1 order by network, id`,
    [organizationId],
  )
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

const weekBefore = `($2::timestamptz - interval '7 days')`

/**
 * The devices that fell silent last: those whose absence is new. `silent` devices with the latest
 * `last_seen`.
 */
export function listNewlySilent(
  db: Queryable,
  organizationId: number,
  { heardSince, most }: { heardSince: Date; most: number },
): Promise<ProblemDevice[]> {
  return db.query<ProblemDevice>(
    `select devices.id, devices.device_eui, devices.name, states.last_seen, null as register_error
     from device_states as states ${ofLivingDevices}
     where states.organization_id = $1 and ${isSilent('$2::timestamptz')}
       and states.seen_period >= ${periodOf(weekBefore)} and states.last_seen >= ${weekBefore}
     order by states.seen_period desc, states.last_seen desc, states.device_id desc
     limit $3`,
    [organizationId, heardSince, most],
  )
}
