import type { Queryable } from '../../db/connect.ts'
import type { SendingAccount } from '../connections/sending-account.ts'
import { namedDevice, namedDeviceValues } from '../inventory/named-devices.ts'
import { keepInQuarantine } from '../uplinks/quarantine.ts'
import type { QuarantineReason } from '../uplinks/quarantine-queries.ts'

export interface NetworkEvent {
  /** In its normal form. */
  deviceEui: string
  kind: string
  /** ISO 8601 in UTC. */
  occurredAt: string
  deduplicationKey: string
  details: Record<string, unknown>
  /** Of the gateway that transmitted a downlink. */
  gatewayEui?: string
  message: Buffer
}

/** The device that an event is about, and whether the event was not known before. */
export interface EventSubject {
  organization_id: number
  device_id: number
  is_new: boolean
}

/** Of a device the newest are kept; its root organization's limit of devices bounds all of them. */
const mostOfDevice = 500

/**
 * Keeps what a network tells of a device apart from its uplinks, once however often it is told. A
 * gateway was last seen no later than now: a time in a far future would hold that against all others.
 * Undefined when the account may not name such a device.
 */
export async function storeEvent(
  db: Queryable,
  account: SendingAccount,
  event: NetworkEvent,
): Promise<EventSubject | undefined> {
  const devices = await db.query<EventSubject>(
    `with device as (
       select id, organization_id from (${namedDevice}) as named
     ), event as (
       insert into network_events (
         organization_id, network_account_id, device_id, kind, occurred_at, deduplication_key, details
       )
       select organization_id, $5, id, $6, $7::timestamptz, $8, $9::jsonb from device
       on conflict do nothing
       returning id, organization_id
     ), gone as (
       delete from network_events using device
       where network_events.organization_id = device.organization_id
         and network_events.device_id = device.id
         and network_events.id <= (
           select newest.id
           from network_events as newest
           where newest.organization_id = device.organization_id and newest.device_id = device.id
           order by newest.id desc
           offset ${mostOfDevice - 1}
           limit 1
         )
         and exists (select from event)
     ), counted as (
       update gateway_states as states
       set downlink_count = states.downlink_count + 1,
         first_seen = least(states.first_seen, $7::timestamptz, now()),
         last_seen = greatest(states.last_seen, least($7::timestamptz, now()))
       from event
       join gateways on gateways.organization_id = event.organization_id
         and gateways.network = $2 and gateways.eui = $10 and gateways.deleted_at is null
       where states.gateway_id = gateways.id
     )
     select organization_id, id as device_id, exists (select from event) as is_new from device`,
    [
      ...namedDeviceValues(account, event.deviceEui),
      account.id,
      event.kind,
      event.occurredAt,
      event.deduplicationKey,
      JSON.stringify(event.details),
      event.gatewayEui ?? null,
    ],
  )
  return devices[0]
}

/** Keeps an event that is no device's, or that the database cannot hold. */
export function quarantineEvent(
  db: Queryable,
  account: SendingAccount,
  event: NetworkEvent,
  reason: QuarantineReason,
): Promise<void> {
  return keepInQuarantine(db, [
    {
      organization_id: account.organizationId,
      network_account_id: account.id,
      reason,
      detail: event.kind,
      device_eui: event.deviceEui,
      deduplication_key: `${event.kind} ${event.deduplicationKey}`,
      message: event.message,
      uplink: undefined,
    },
  ])
}
