import type { Queryable } from '../../db/connect.ts'
import type { Moment } from '../../http/timestamps.ts'

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
 * Counts the devices in one pass over the states of the organization's devices: 0.2 s for 100,000.
 * An index of `last_seen` or `status` would save most of it, and cost every stored uplink a new
 * entry, since PostgreSQL then no longer updates the row in place (HOT).
 */
export async function countDevices(
  db: Queryable,
  organizationId: number,
  heardSince: Date,
): Promise<DeviceCounts> {
  const rows = await db.query<DeviceCounts>(
    `select count(*) as total,
       count(*) filter (where states.last_seen >= $2) as heard,
       count(*) filter (where states.last_seen < $2 or states.last_seen is null) as silent,
       count(*) filter (where states.last_seen is null) as never_heard,
       count(*) filter (where states.status ->> 'low_battery' = 'Yes') as low_battery,
       count(*) filter (where states.status ->> 'tamper' = 'Yes') as tampered,
       count(*) filter (where devices.register_status = 'pending') as pending,
       count(*) filter (where devices.register_status = 'register_error') as register_error,
       count(*) filter (where devices.id in (
         select downlinks.device_id from downlinks
         where downlinks.organization_id = $1 and downlinks.state in ('queued', 'handed_over')
       )) as waiting
     from devices
     join device_states as states on states.organization_id = devices.organization_id
       and states.device_id = devices.id
     where devices.organization_id = $1 and devices.deleted_at is null`,
    [organizationId, heardSince],
  )
  return rows[0] as DeviceCounts
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

/** The registrations that failed last. Reads the organization's devices once, as the counts do. */
export function listFailedRegistrations(
  db: Queryable,
  organizationId: number,
  most: number,
): Promise<ProblemDevice[]> {
  return db.query<ProblemDevice>(
    `select devices.id, devices.device_eui, devices.name, null as last_seen, devices.register_error
     from devices
     where organization_id = $1 and deleted_at is null and register_status = 'register_error'
     order by updated_at desc
     limit $2`,
    [organizationId, most],
  )
}

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
     from devices
     join device_states as states on states.organization_id = devices.organization_id
       and states.device_id = devices.id
     where devices.organization_id = $1 and devices.deleted_at is null
       and states.last_seen < $2 and states.last_seen >= $2::timestamptz - interval '7 days'
     order by states.last_seen desc
     limit $3`,
    [organizationId, heardSince, most],
  )
}
