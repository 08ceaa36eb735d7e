import type { Queryable } from '../../db/connect.ts'
import { noteChanged } from '../rollups/rollup-queries.ts'

/** An organization whose oldest uplink is older than it keeps them. */
export interface DueOrganization {
  id: number
  uplink_retention_days: number
}

/** The age is that of the database's clock, which has also dated the uplinks. */
const isOld = (days: string) => `uplinks.received_at < now() - make_interval(days => ${days})`

/** One look-up of the oldest uplink for each organization that does not keep them for ever. */
export function listDue(db: Queryable): Promise<DueOrganization[]> {
  return db.query<DueOrganization>(
    // Apart, since uplinks may be on other machines (docs/scaling.md).
    `with keeping as materialized (
       select id, uplink_retention_days from organizations where uplink_retention_days is not null
     )
     select keeping.id, keeping.uplink_retention_days
     from keeping
     join organization_counters as counter on counter.organization_id = keeping.id
     join uplinks on uplinks.organization_id = counter.organization_id
       and uplinks.ordinal = counter.first_ordinal
     where ${isOld('keeping.uplink_retention_days')}
     order by keeping.id`,
  )
}

/** The oldest uplinks of a device that were deleted together. */
export interface DeletedOfDevice {
  device_id: number
  /** Its first uplink that is left. */
  first_ordinal: number
  /** The highest ordinal within the organization. */
  last_ordinal: number
  count: number
}

/**
 * Deletes the oldest uplinks of an organization, at most `most`, up to the first one that is young
 * enough: what is left has ordinals without gaps. The number of days is read again, so a change of
 * it counts at once.
 */
export function deleteOldest(
  tx: Queryable,
  organizationId: number,
  most: number,
): Promise<DeletedOfDevice[]> {
  return tx.query<DeletedOfDevice>(
    `with keeping as materialized (
       select uplink_retention_days as days from organizations where id = $1
     ), oldest as materialized (
       select uplinks.ordinal, coalesce(${isOld('(select days from keeping)')}, false) as is_old
       from organization_counters as counter
       join uplinks on uplinks.organization_id = counter.organization_id
         and uplinks.ordinal = any(array(
           select generate_series(counter.first_ordinal, counter.first_ordinal + $2::bigint - 1)
         ))
       where counter.organization_id = $1
     ), gone as (
       delete from uplinks
       where organization_id = $1 and ordinal = any(array(
         select oldest.ordinal from oldest
         where oldest.ordinal < coalesce(
           (select min(young.ordinal) from oldest as young where not young.is_old),
           9223372036854775807
         )
       ))
       returning ordinal, device_id, device_ordinal, event_time
     ), changed as (
       ${noteChanged('gone')}
     )
     select device_id, max(device_ordinal) + 1 as first_ordinal, max(ordinal) as last_ordinal,
       count(*) as count
     from gone
     group by device_id
     order by device_id`,
    [organizationId, most],
  )
}

/** Locks the organization's counter, as the writer of uplinks does, and then the states. */
export async function noteDeleted(
  tx: Queryable,
  organizationId: number,
  deleted: readonly DeletedOfDevice[],
): Promise<void> {
  const last = Math.max(...deleted.map(({ last_ordinal }) => last_ordinal))
  const devices = deleted.map(({ device_id }) => device_id)
  const firsts = deleted.map(({ first_ordinal }) => first_ordinal)
  await Promise.all([
    tx.query(
      `update organization_counters
       set first_ordinal = greatest(first_ordinal, $2::bigint + 1) where organization_id = $1`,
      [organizationId, last],
    ),
    tx.query(
      `update device_states
       set first_ordinal = greatest(device_states.first_ordinal, deleted.first_ordinal)
       from unnest($2::bigint[], $3::bigint[]) as deleted (device_id, first_ordinal)
       where device_states.organization_id = $1 and device_states.device_id = deleted.device_id`,
      [organizationId, devices, firsts],
    ),
  ])
}

/**
 * Deletes the oldest uplinks, as far as the counter knows: no look at those that are gone already.
 * Returns whether there may be more.
 */
export async function deleteUplinks(
  tx: Queryable,
  organizationId: number,
  most: number,
): Promise<boolean> {
  const [counter] = await tx.query<{ first: number; last: number }>(
    `select first_ordinal as first, uplink_count as last from organization_counters
     where organization_id = $1`,
    [organizationId],
  )
  if (!counter || counter.first > counter.last) return false
  const end = counter.first + most
  await tx.query(
    'delete from uplinks where organization_id = $1 and ordinal >= $2 and ordinal < $3',
    [organizationId, counter.first, end],
  )
  await tx.query(
    `update organization_counters
     set first_ordinal = greatest(first_ordinal, least(uplink_count + 1, $2::bigint))
     where organization_id = $1`,
    [organizationId, end],
  )
  return true
}
