import type { Queryable } from '../../../db/connect.ts'
import { numberArray } from '../../../db/statements.ts'
import { coarseStates, voltsOf } from '../../fleet/inventory/coarse-states.ts'
import type { ArchivedDevice } from './archive-format.ts'

/**
 * Moves the counters on, and with them the places up to which webhooks and alerts have read: they take
 * nothing of the past for news.
 */
export async function moveCounters(
  tx: Queryable,
  organizationId: number,
  counted: { uplinks: number; devices: ReadonlyMap<number, number> },
): Promise<void> {
  const { uplinks, devices } = counted
  await tx.query(
    `with states as (
       update device_states set uplink_count = incoming.uplink_count
       from unnest($3::bigint[], $4::bigint[]) as incoming (device_id, uplink_count)
       where device_states.organization_id = $1 and device_states.device_id = incoming.device_id
     ), webhook as (
       update webhooks set uplink_ordinal = $2 where organization_id = $1
     ), watch as (
       update alert_watches set uplink_ordinal = $2 where organization_id = $1
     )
     update organization_counters set uplink_count = $2 where organization_id = $1`,
    [organizationId, uplinks, numberArray([...devices.keys()]), numberArray([...devices.values()])],
  )
}

/** Gives devices the state of the archive where nothing newer is known. */
export async function setStates(
  tx: Queryable,
  organizationId: number,
  devices: readonly (ArchivedDevice & { newId: number })[],
): Promise<void> {
  const given = devices.map((device) => ({ ...device, volts: voltsOf(device.status) }))
  await tx.query(
    `update device_states
     set last_seen = given.last_seen, status = given.status, status_times = given.status_times,
       ${coarseStates('given.last_seen', 'given.status', 'given.volts')}
     from json_to_recordset($2) as given (
       "newId" bigint, last_seen timestamptz, status jsonb, status_times jsonb,
       volts double precision
     )
     where device_states.organization_id = $1 and device_states.device_id = given."newId"
       and device_states.last_seen is null`,
    [organizationId, JSON.stringify(given)],
  )
}
