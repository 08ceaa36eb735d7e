import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { hasLowBattery, isTampered } from '../../fleet/inventory/coarse-states.ts'
import {
  unusualDevices,
  type VerdictCounts,
  verdictCounts,
} from '../../fleet/inventory/verdict-queries.ts'

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

/**
 * Counts what is unusual, by indexes that hold little else: devices that are not ok, those that their
 * network does not have, and waiting downlinks. The others are the rest of the devices, whose number is
 * known.
 */
export async function countDevices(
  db: Queryable,
  organizationId: number,
  now: Date,
): Promise<DeviceCounts> {
  const rows = await db.query<DeviceCounts>(
    `select (select device_count from organizations where id = $1) as total, counted.*, (
         select count(distinct devices.id) from downlinks
         join devices on devices.organization_id = downlinks.organization_id
           and devices.id = downlinks.device_id and devices.deleted_at is null
         where downlinks.organization_id = $1 and downlinks.state in ('queued', 'handed_over')
       ) as waiting, (
         select count(*) from devices
         where organization_id = $1 and deleted_at is null
           and register_status <> 'active' and register_status = 'pending'
       ) as pending
     from (
       select ${verdictCounts('0')},
         count(*) filter (where unusual.last_seen is null) as never_heard,
         count(*) filter (where ${hasLowBattery('unusual')}) as low_battery,
         count(*) filter (where ${isTampered('unusual')}) as tampered,
         count(*) filter (where unusual.register_status = 'register_error') as register_error
       from ${unusualDevices('$1', '$2')} as unusual
     ) as counted`,
    [organizationId, now],
  )
  const counts = rows[0] as DeviceCounts
  return { ...counts, ok: counts.total + counts.ok, heard: counts.total + counts.heard }
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

/** The silent devices that were heard last within a week: those whose absence is new. */
export function listNewlySilent(
  db: Queryable,
  organizationId: number,
  { now, most }: { now: Date; most: number },
): Promise<ProblemDevice[]> {
  return db.query<ProblemDevice>(
    `select devices.id, devices.device_eui, devices.name, unusual.last_seen, null as register_error
     from ${unusualDevices('$1', '$2')} as unusual
     join devices on devices.organization_id = $1 and devices.id = unusual.id
     where unusual.verdict = 'silent'
       and unusual.last_seen >= $2::timestamptz - interval '7 days'
     order by unusual.last_seen desc, unusual.id desc
     limit $3`,
    [organizationId, now, most],
  )
}
