import assert from 'node:assert/strict'
import type { Database } from '../src/db/connect.ts'

/** For tests: reads the tables, to compare them with what was acknowledged. */

/** The stored messages, as `organization EUI key`. */
export async function readStored(db: Database) {
  const uplinks = await db.query<{ key: string }>(
    `select organization_id || ' ' || eui || ' ' || uplinks.deduplication_key as key
     from uplinks join devices using (organization_id)
     where devices.id = uplinks.device_id`,
  )
  const quarantined = await db.query<{ key: string }>(
    `select organization_id || ' ' || device_eui || ' ' || deduplication_key as key
     from quarantined_messages`,
  )
  const toKey = ({ key }: { key: string }) => key
  return { uplinks: uplinks.map(toKey), quarantined: quarantined.map(toKey) }
}

/**
 * Counts the organizations and devices with a gap in their ordinals or with a wrong counter. A device
 * without uplinks counts none.
 */
export async function countWrong(db: Database): Promise<Record<string, number>> {
  const [wrong] = await db.query<Record<string, number>>(
    `with organization as (
       select organization_id, count(*), count(distinct ordinal) as different,
         min(ordinal) as first, max(ordinal) as last
       from uplinks group by organization_id
     ), device as (
       select organization_id, device_id, count(*), count(distinct device_ordinal) as different,
         min(device_ordinal) as first, max(device_ordinal) as last
       from uplinks group by organization_id, device_id
     ), quarantine as (
       select organization_id, count(*) from quarantined_messages group by organization_id
     )
     select
       (select count(*) from organization full join organization_counters using (organization_id)
        where (first, last, different, uplink_count) is distinct from (1, count, count, count))
         as organizations,
       (select count(*) from device full join device_states using (organization_id, device_id)
        where (first, last, different, uplink_count) is distinct from (1, count, count, count)
          and (count is not null or uplink_count <> 0))
         as devices,
       (select count(*) from quarantine full join organization_counters using (organization_id)
        where quarantine_count is distinct from coalesce(count, 0)) as quarantines`,
  )
  assert(wrong)
  return wrong
}
