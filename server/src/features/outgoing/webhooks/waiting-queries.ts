import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { type FleetUplinkRow, fleetColumns } from '../../../uplinks/read/fleet-uplink-record.ts'
import { oneOf } from '../../../uplinks/rows/by-ordinal.ts'
import type { Tags } from '../../fleet/inventory/tags.ts'
import { mostWaiting, type WebhookEvent } from './webhook-kinds.ts'

/** The webhook whose rows are read. */
export interface OfWebhook {
  organization_id: number
  id: number
}

export interface WaitingRow {
  id: number
  kind: WebhookEvent
  ordinal: number | null
  data: Record<string, unknown> | null
  happened_at: Moment
  attempts: number
  first_failed_at: Moment | null
  /** 0 where the event is about no device. */
  device_id: number
  device_eui: string
  device_name: string
  device_type_id: number
  network: string
  tags: Tags
}

const ofWebhook = (alias: string) =>
  `${alias}.organization_id = $1 and ${alias}.webhook_id = $2 and ${alias}.state = 'waiting'`

const waitingColumns = `deliveries.id, deliveries.kind, deliveries.ordinal, deliveries.data,
  deliveries.happened_at, deliveries.attempts, deliveries.first_failed_at, deliveries.device_id,
  coalesce(devices.device_eui, '') as device_eui, coalesce(devices.name, '') as device_name,
  coalesce(devices.type_id, 0) as device_type_id,
  coalesce(devices.network, deliveries.data ->> 'network', '') as network,
  coalesce(devices.tags, deliveries.data -> 'tags', '{}') as tags`

const earlier = `select from webhook_deliveries as earlier
  where ${ofWebhook('earlier')} and earlier.device_id = deliveries.device_id
    and earlier.id < deliveries.id`

/** The oldest deliveries that are due and behind no other of their device that is not. */
export function listDueRows(
  db: Queryable,
  { organization_id, id }: OfWebhook,
  { now, most }: { now: Date; most: number },
): Promise<WaitingRow[]> {
  return db.query<WaitingRow>(
    `select ${waitingColumns}
     from webhook_deliveries as deliveries
     left join devices on devices.organization_id = deliveries.organization_id
       and devices.id = deliveries.device_id
     where ${ofWebhook('deliveries')} and deliveries.next_attempt_at <= $3
       and not exists (${earlier} and earlier.next_attempt_at > $3)
     order by deliveries.id
     limit $4`,
    [organization_id, id, now, most],
  )
}

/** The delivery that shows whether a failing receiver is back: the one that was tried longest ago. */
export function listProbe(
  db: Queryable,
  { organization_id, id }: OfWebhook,
): Promise<WaitingRow[]> {
  return db.query<WaitingRow>(
    `select ${waitingColumns}
     from webhook_deliveries as deliveries
     left join devices on devices.organization_id = deliveries.organization_id
       and devices.id = deliveries.device_id
     where ${ofWebhook('deliveries')} and not exists (${earlier})
     order by deliveries.next_attempt_at, deliveries.id
     limit 1`,
    [organization_id, id],
  )
}

/** Whether so many deliveries wait that the cursor must wait too. */
export async function isFull(db: Queryable, { organization_id, id }: OfWebhook): Promise<boolean> {
  const rows = await db.query(
    `select id from webhook_deliveries as deliveries where ${ofWebhook('deliveries')}
     offset ${mostWaiting} limit 1`,
    [organization_id, id],
  )
  return rows.length > 0
}

/** Those of the devices that have a waiting delivery besides the taken ones. */
export async function findBlocked(
  db: Queryable,
  { organization_id, id }: OfWebhook,
  { devices, taken }: { devices: readonly number[]; taken: readonly number[] },
): Promise<Set<number>> {
  if (devices.length === 0) return new Set()
  const rows = await db.query<{ device_id: number }>(
    `select distinct deliveries.device_id
     from webhook_deliveries as deliveries
     where ${ofWebhook('deliveries')} and deliveries.device_id = any($3::bigint[])
       and deliveries.id <> all($4::bigint[])`,
    [organization_id, id, devices, taken],
  )
  return new Set(rows.map(({ device_id }) => device_id))
}

/** Reads uplinks by their ordinals; those that were deleted are left out. */
export async function readUplinks(
  db: Queryable,
  organizationId: number,
  ordinals: readonly number[],
): Promise<FleetUplinkRow[]> {
  if (ordinals.length === 0) return []
  return db.query<FleetUplinkRow>(
    `select ${fleetColumns}
     from ${oneOf('uplinks.*', '$2::bigint[]')} as uplinks
     join devices on devices.organization_id = uplinks.organization_id
       and devices.id = uplinks.device_id
     order by uplinks.ordinal`,
    [organizationId, ordinals],
  )
}
