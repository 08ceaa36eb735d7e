import type { Queryable } from '../../db/connect.ts'
import type { CallbackAccount } from './ingest-queue.ts'
import { type QuarantineReason, quarantine } from './quarantine-queries.ts'

export interface NetworkEvent {
  /** In its normal form. */
  deviceEui: string
  kind: string
  /** ISO 8601 in UTC. */
  occurredAt: string
  deduplicationKey: string
  details: Record<string, unknown>
  message: Buffer
}

/**
 * Keeps what a network tells of a device apart from its uplinks, once however often it is told.
 * False when the account may not name such a device.
 */
export async function storeEvent(
  db: Queryable,
  account: CallbackAccount,
  event: NetworkEvent,
): Promise<boolean> {
  const devices = await db.query<{ id: number }>(
    `with device as (
       select id, organization_id from devices
       where eui = $1 and deleted_at is null and network = $2
         and (organization_id = $3 or ($4 and register_method = 'vendor'))
     ), event as (
       insert into network_events (
         organization_id, network_account_id, device_id, kind, occurred_at, deduplication_key, details
       )
       select organization_id, $5, id, $6, $7::timestamptz, $8, $9::jsonb from device
       on conflict do nothing
     )
     select id from device`,
    [
      event.deviceEui,
      account.network,
      account.organizationId,
      account.isVendor,
      account.id,
      event.kind,
      event.occurredAt,
      event.deduplicationKey,
      JSON.stringify(event.details),
    ],
  )
  return devices.length > 0
}

/** Keeps an event that is no device's, or that the database cannot hold. */
export function quarantineEvent(
  db: Queryable,
  account: CallbackAccount,
  event: NetworkEvent,
  reason: QuarantineReason,
): Promise<void> {
  return quarantine(db, [
    {
      organization_id: account.organizationId,
      network_account_id: account.id,
      reason,
      detail: event.kind,
      device_eui: event.deviceEui,
      deduplication_key: `${event.kind} ${event.deduplicationKey}`,
      message: event.message.toString('hex'),
    },
  ])
}
