import type { Database, Queryable } from '../../../db/connect.ts'

const day = 24 * 60 * 60 * 1000
/** What else names a device is deleted after 30 days. */
const keptDays = 90
/** Then the calls end with which a network is asked to forget a device. */
const mostDays = 366
/** Devices that one transaction deletes. */
const limit = 500

/**
 * Deletes the rows of deleted devices of which nothing is left: no uplink, no alert, and no call to their
 * network. Deleting a device keeps its uplinks, and they need its row.
 */
export async function removeTombstones(db: Database, now: Date): Promise<void> {
  const times = {
    before: new Date(now.getTime() - keptDays * day),
    longBefore: new Date(now.getTime() - mostDays * day),
  }
  const organizations = await db.query<{ organization_id: number }>(
    'select distinct organization_id from devices where deleted_at < $1',
    [times.before],
  )
  for (const { organization_id: id } of organizations) {
    let last: number | undefined = 0
    while (last !== undefined) {
      const after: number = last
      last = await db.transaction((tx) => removeSome(tx, id, { ...times, after }))
    }
  }
}

/** Returns the id after which there may be more. */
async function removeSome(
  tx: Queryable,
  organizationId: number,
  { before, longBefore, after }: { before: Date; longBefore: Date; after: number },
): Promise<number | undefined> {
  const found = await tx.query<{ id: number; is_long_gone: boolean }>(
    `select devices.id, devices.deleted_at < $3 as is_long_gone from devices
     join device_states as states on states.organization_id = devices.organization_id
       and states.device_id = devices.id
     where devices.organization_id = $1 and devices.deleted_at < $2
       and states.first_ordinal > states.uplink_count
       and not exists (
         select from alerts where alerts.organization_id = $1 and alerts.device_id = devices.id
       )
       and devices.id > $5
     order by devices.id
     limit $4
     for update of devices`,
    [organizationId, before, longBefore, limit, after],
  )
  if (found.length === 0) return undefined
  // Apart, since they may be on another machine (docs/scaling.md).
  const calls = await tx.query<{ id: number }>(
    `select device_id as id from provisioning
     where organization_id = $1 and device_id = any($2)`,
    [organizationId, found.map(({ id }) => id)],
  )
  const awaited = new Set(calls.map(({ id }) => id))
  const gone = found.filter(({ id, is_long_gone }) => is_long_gone || !awaited.has(id))
  const ids = gone.map(({ id }) => id)
  for (const statement of removals) await tx.query(statement, [organizationId, ids])
  return found.length < limit ? undefined : found.at(-1)?.id
}

const removals = [
  ...[
    'provisioning',
    'downlink_history',
    'downlinks',
    'downlink_checks',
    'downlink_queues',
    'device_moves',
    'grouped_devices',
    'frame_memories',
    'rollup_changes',
    'hourly_rollups',
    'daily_rollups',
    'daily_states',
    'network_events',
    'alert_mutes',
    'device_rhythms',
    'webhook_announcements',
    'device_states',
  ].map((table) => `delete from ${table} where organization_id = $1 and device_id = any($2)`),
  'delete from devices where organization_id = $1 and id = any($2)',
]
