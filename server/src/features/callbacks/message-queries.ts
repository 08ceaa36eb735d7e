import type { Queryable } from '../../db/connect.ts'
import { normalizeEui } from '../../lora/eui.ts'
import type { Uplink } from '../../networks/network-message.ts'
import type { SendingAccount } from '../connections/sending-account.ts'
import { queueForWebhooks, wireTime } from '../events/webhook-event-queries.ts'
import { namedDevice, namedDeviceValues } from '../inventory/named-device-queries.ts'
import { entryOf, windowEntry, windowOf } from '../uplinks/window-queries.ts'

export interface NetworkEvent {
  /** In its normal form. */
  deviceEui: string
  kind: string
  /** ISO 8601 in UTC. */
  occurredAt: string
  deduplicationKey: string
  details: Record<string, unknown>
  /** The EUI of the gateway that transmitted a downlink. */
  gatewayEui?: string
  message: Buffer
}

/** Joins, and what networks report of a device's state. Downlinks are told by their history. */
const toldEvents = queueForWebhooks(
  { column: 'told_as' },
  `select organization_id, device_id,
     case kind when 'join' then 'join' when 'status' then 'device_state' end as told_as,
     jsonb_build_object('event_id', id, 'occurred_at', ${wireTime('occurred_at')},
       'received_at', ${wireTime('received_at')}, 'details', details) as data
   from event where kind in ('join', 'status')`,
)

/** The device of an event, and whether the event is new. */
export interface EventSubject {
  organization_id: number
  device_id: number
  is_new: boolean
}

/**
 * The newest events that are kept for a device. The limit of devices of the root organization
 * bounds the total.
 */
const mostOfDevice = 500

/**
 * Stores an event of a device once, even if the network reports it again. Uplinks are not events.
 * The last-seen time of a gateway is never later than now, because later events could not replace a
 * time in the far future. Returns undefined when the account may not name such a device.
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
       returning id, organization_id, device_id, kind, occurred_at, received_at, details
     ), told as (${toldEvents}), beyond as (
       select network_events.id from network_events
       where network_events.organization_id = (select organization_id from device)
         and network_events.device_id = (select id from device)
         -- Citus sees the new one here already.
         and network_events.id is distinct from (select event.id from event)
       order by network_events.id desc
       offset ${mostOfDevice - 1}
       limit 1
     ), gone as (
       delete from network_events
       where network_events.organization_id = (select organization_id from device)
         and network_events.device_id = (select id from device)
         and network_events.id <= (select id from beyond)
         and exists (select from event)
     ), counted as (
       update gateway_states as states
       set downlink_count = states.downlink_count + 1,
         first_seen = least(states.first_seen, $7::timestamptz, now()),
         last_seen = greatest(states.last_seen, least($7::timestamptz, now()))
       from event
       join gateways on gateways.organization_id = event.organization_id
         and gateways.network = $2 and gateways.eui = $10 and gateways.deleted_at is null
       where states.organization_id = gateways.organization_id
         and states.gateway_id = gateways.id
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

/**
 * The longest time between a message without a time and its repeat, in milliseconds: a restart, or
 * a lost connection. Equal frames further apart count as separate uplinks.
 */
const longestAgo = 10 * 60 * 1000

/**
 * Returns the key of the first copy of a repeated message without a time, or the own key of the
 * message if there is no earlier copy. The keys of such copies differ only in their ends, which are
 * their times of arrival.
 */
export async function findFirstKey(
  db: Queryable,
  account: SendingAccount,
  { devEui, deduplicationKey, receivedAt }: Uplink,
): Promise<string> {
  const stem = deduplicationKey.slice(0, -receivedAt.length)
  const earliest = new Date(Date.parse(receivedAt) - longestAgo).toISOString()
  const [first] = await db.query<{ key: string }>(
    `select uplinks.deduplication_key as key
     from (
       select id, organization_id from devices
       where not $3 and organization_id = $2 and eui = $1 and deleted_at is null
       union all
       select id, organization_id from devices
       where $3 and register_method = 'vendor' and network = $7 and eui = $1 and deleted_at is null
       union all
       select id, organization_id from devices
       where $3 and other_method = 'vendor' and other_network = $7 and eui = $1
         and deleted_at is null
     ) as named
     cross join generate_series(
       ${windowOf('$4::timestamptz')}, ${windowOf('$5::timestamptz')}
     ) as place (number)
     join uplinks on uplinks.organization_id = named.organization_id
       and ${windowEntry('uplinks')} = ${entryOf('place.number', 'named.id')}
     where uplinks.event_time >= $4::timestamptz and uplinks.event_time <= $5::timestamptz
       and starts_with(uplinks.deduplication_key, $6)
     order by uplinks.event_time desc
     limit 1`,
    [
      normalizeEui(devEui),
      account.organizationId,
      account.isVendor,
      earliest,
      receivedAt,
      stem,
      account.network,
    ],
  )
  return first?.key ?? deduplicationKey
}

/**
 * Removes at most `limit` events that were received before `oldest`. Returns how many it removed.
 */
export async function removeOldEvents(db: Queryable, oldest: Date, limit: number): Promise<number> {
  const [removed] = await db.query<{ count: number }>(
    // Chosen once, whatever the planner knows of the table (uplinks/quarantine-queries.ts).
    `with chosen as materialized (
       select organization_id, id from network_events
       where received_at < $1 order by received_at limit $2
     ), gone as (
       delete from network_events using chosen
       where network_events.organization_id = chosen.organization_id
         and network_events.id = chosen.id
       returning network_events.id
     )
     select count(*) from gone`,
    [oldest, limit],
  )
  return removed?.count ?? 0
}
