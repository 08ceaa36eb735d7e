import type { Database, Queryable } from '../../../db/connect.ts'

const day = 24 * 60 * 60 * 1000
/** What else names a device is deleted after 30 days. */
const keptDays = 90
/** Then the calls end with which a network is asked to forget a device or a gateway. */
const mostDays = 366
/** Rows that one transaction deletes. */
const limit = 500

/** Devices or gateways, as SQL. */
interface Subject {
  table: 'devices' | 'gateways'
  /** The column of other tables that names one. */
  reference: 'device_id' | 'gateway_id'
  /** What else must be true of one that is removed. */
  condition: string
  /** Takes the organization and the ids. */
  removals: readonly string[]
}

const devices: Subject = {
  table: 'devices',
  reference: 'device_id',
  condition: `exists (
    select from device_states as states
    where states.organization_id = devices.organization_id and states.device_id = devices.id
      and states.first_ordinal > states.uplink_count
  )`,
  removals: [
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
}

const gateways: Subject = {
  table: 'gateways',
  reference: 'gateway_id',
  condition: 'true',
  removals: [
    'update devices set gateway_id = null where organization_id = $1 and gateway_id = any($2)',
    ...['provisioning', 'gateway_hours', 'gateway_outages', 'gateway_states'].map(
      (table) => `delete from ${table} where organization_id = $1 and gateway_id = any($2)`,
    ),
  ],
}

/**
 * Deletes the rows of deleted devices of which nothing is left: no uplink, no alert, and no call to their
 * network. Deleting a device keeps its uplinks, and they need its row.
 */
export function removeDeviceTombstones(
  db: Database,
  now: Date,
  isStopped = () => false,
): Promise<void> {
  return removeAll(db, devices, now, isStopped)
}

/** Deletes the rows of deleted gateways that their networks have forgotten. Uplinks name gateways by EUI. */
export function removeGatewayTombstones(
  db: Database,
  now: Date,
  isStopped = () => false,
): Promise<void> {
  return removeAll(db, gateways, now, isStopped)
}

async function removeAll(
  db: Database,
  subject: Subject,
  now: Date,
  isStopped: () => boolean,
): Promise<void> {
  const times = {
    before: new Date(now.getTime() - keptDays * day),
    longBefore: new Date(now.getTime() - mostDays * day),
  }
  const organizations = await db.query<{ organization_id: number }>(
    `select distinct organization_id from ${subject.table} where deleted_at < $1`,
    [times.before],
  )
  for (const { organization_id: id } of organizations) {
    let last: number | undefined = 0
    while (last !== undefined && !isStopped()) {
      const after: number = last
      last = await db.transaction((tx) => removeSome(tx, id, subject, { ...times, after }))
    }
  }
}

/** Returns the id after which there may be more. */
async function removeSome(
  tx: Queryable,
  organizationId: number,
  { table, reference, condition, removals }: Subject,
  { before, longBefore, after }: { before: Date; longBefore: Date; after: number },
): Promise<number | undefined> {
  const found = await tx.query<{ id: number; is_long_gone: boolean }>(
    `select id, deleted_at < $3 as is_long_gone from ${table}
     where organization_id = $1 and deleted_at < $2 and id > $5
       and ${condition}
       and not exists (
         select from alerts where alerts.organization_id = $1 and alerts.${reference} = ${table}.id
       )
     order by id
     limit $4
     for update`,
    [organizationId, before, longBefore, limit, after],
  )
  if (found.length === 0) return undefined
  // Apart, since they may be on another machine (docs/scaling.md).
  const calls = await tx.query<{ id: number }>(
    `select ${reference} as id from provisioning
     where organization_id = $1 and ${reference} = any($2)`,
    [organizationId, found.map(({ id }) => id)],
  )
  const awaited = new Set(calls.map(({ id }) => id))
  const gone = found.filter(({ id, is_long_gone }) => is_long_gone || !awaited.has(id))
  const ids = gone.map(({ id }) => id)
  const removal = `delete from ${table} where organization_id = $1 and id = any($2)`
  for (const statement of [...removals, removal]) await tx.query(statement, [organizationId, ids])
  return found.length < limit ? undefined : found.at(-1)?.id
}
