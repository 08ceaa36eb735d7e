import type { Queryable } from '../../db/connect.ts'
import { numberArray, textArray } from '../../db/statements.ts'
import type { SendingAccount } from '../../features/accounts/connections/sending-account.ts'
import {
  findDevices,
  type KnownDevice,
  lookUpKeyOf,
  mayBeNamedBy,
} from '../../features/fleet/inventory/named-device-queries.ts'
import { queueForWebhooks, wireTime } from '../../features/outgoing/events/webhook-event-queries.ts'
import { isEui } from '../../lora/eui.ts'

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
 * The newest events that are kept for a device. The limit of devices of the tenant
 * bounds the total.
 */
const mostOfDevice = 500

/**
 * Stores events of devices, each once, even if the network reports it again. Uplinks are not events.
 * The last-seen time of a gateway is never later than now, because later events could not replace a
 * time in the far future. Undefined in the place of an event when the account may not name such a
 * device.
 */
export async function storeEvents(
  db: Queryable,
  account: SendingAccount,
  events: readonly NetworkEvent[],
): Promise<(EventSubject | undefined)[]> {
  const devices = await findSubjects(db, account, events)
  const subjects = events.map(({ deviceEui }) => devices.get(deviceEui))
  const organizations = new Set(subjects.flatMap((subject) => subject?.organization_id ?? []))
  const stored = new Set<string>()
  for (const organizationId of organizations) {
    const own = events.flatMap((event, at) => {
      const device = subjects[at]
      return device?.organization_id === organizationId ? [{ ...event, device_id: device.id }] : []
    })
    for (const row of await insertEvents(db, account, organizationId, own)) stored.add(keyOf(row))
  }
  return events.map((event, at) => {
    const device = subjects[at]
    if (!device) return undefined
    const { id: device_id, organization_id } = device
    const key = { device_id, kind: event.kind, deduplication_key: event.deduplicationKey }
    return { organization_id, device_id, is_new: stored.has(keyOf(key)) }
  })
}

/** The devices that the account may name, by their EUIs. */
async function findSubjects(
  db: Queryable,
  account: SendingAccount,
  events: readonly NetworkEvent[],
): Promise<Map<string, KnownDevice>> {
  const euis = new Set(events.map(({ deviceEui }) => deviceEui).filter(isEui))
  const keys = [...euis].map((eui) => lookUpKeyOf(account, eui))
  const found = keys.length > 0 ? await findDevices(db, keys) : []
  const named = found.filter((device) => mayBeNamedBy(account, device))
  return new Map(named.map((device) => [device.eui, device]))
}

/** SQL: a coordinate that a network tells of a device. */
function coordinate(name: string): string {
  return `(details->>'${name}')::double precision as ${name}`
}

/** SQL: the network tells where the device is. 0/0 is what networks send that do not know it. */
const isPlace = `(details->>'latitude')::double precision between -90 and 90
           and (details->>'longitude')::double precision between -180 and 180
           and not (details->'latitude' = '0' and details->'longitude' = '0')`

interface StoredEvent {
  device_id: number
  kind: string
  deduplication_key: string
}

function keyOf({ device_id, kind, deduplication_key }: StoredEvent): string {
  return `${device_id} ${kind} ${deduplication_key}`
}

/** Stores events of one organization's devices in their order. Returns those that are new. */
function insertEvents(
  db: Queryable,
  account: SendingAccount,
  organizationId: number,
  events: readonly (NetworkEvent & { device_id: number })[],
): Promise<StoredEvent[]> {
  return db.query<StoredEvent>(
    `with given as (
       select * from unnest(
         $4::bigint[], $5::text[], $6::timestamptz[], $7::text[], $8::jsonb[], $9::text[]
       ) with ordinality as given (
         device_id, kind, occurred_at, deduplication_key, details, gateway_eui, number
       )
     ), event as (
       insert into network_events (
         organization_id, network_account_id, device_id, kind, occurred_at, deduplication_key, details
       )
       select $1::bigint, $2::bigint, device_id, kind, occurred_at, deduplication_key, details
       from given order by device_id, number
       on conflict do nothing
       returning id, organization_id, device_id, kind, occurred_at, received_at, details,
         deduplication_key
     ), told as (${toldEvents}), placed as (
       update devices
       set latitude = last.latitude, longitude = last.longitude, altitude = last.altitude,
         place_source = 'network'
       from (
         select distinct on (device_id) device_id, ${coordinate('latitude')},
           ${coordinate('longitude')}, ${coordinate('altitude')}
         from event
         where details->>'code' = 'LOCATION' and ${isPlace}
         order by device_id, occurred_at desc, id desc
       ) as last
       where devices.organization_id = $1 and devices.id = last.device_id
         and coalesce(devices.place_source, 'network') in ('network', 'sensor')
         and (devices.latitude, devices.longitude)
           is distinct from (last.latitude, last.longitude)
     ), beyond as materialized (
       -- Else it would be looked for again for each event that is there.
       select fresh.device_id, (
         select network_events.id from network_events
         where network_events.organization_id = $1 and network_events.device_id = fresh.device_id
           -- Citus sees the new ones here already.
           and network_events.id < fresh.first
         order by network_events.id desc
         offset ${mostOfDevice} - fresh.events
         limit 1
       ) as id
       from (
         select device_id, count(*) as events, min(id) as first from event group by device_id
       ) as fresh
     ), gone as (
       delete from network_events using beyond
       where network_events.organization_id = $1 and network_events.device_id = beyond.device_id
         and network_events.id <= beyond.id
     ), counted as (
       update gateway_states as states
       set downlink_count = states.downlink_count + sent.events,
         first_seen = least(states.first_seen, sent.first, now()),
         last_seen = greatest(states.last_seen, least(sent.last, now()))
       from (
         select given.gateway_eui, count(*) as events, min(event.occurred_at) as first,
           max(event.occurred_at) as last
         from event join given using (device_id, kind, deduplication_key)
         where given.gateway_eui is not null
         group by given.gateway_eui
       ) as sent
       join gateways on gateways.organization_id = $1 and gateways.network = $3
         and gateways.eui = sent.gateway_eui and gateways.deleted_at is null
       where states.organization_id = $1 and states.gateway_id = gateways.id
     )
     select device_id, kind, deduplication_key from event`,
    [
      organizationId,
      account.id,
      account.network,
      numberArray(events.map((event) => event.device_id)),
      textArray(events.map((event) => event.kind)),
      textArray(events.map((event) => event.occurredAt)),
      textArray(events.map((event) => event.deduplicationKey)),
      textArray(events.map((event) => JSON.stringify(event.details))),
      textArray(events.map((event) => event.gatewayEui)),
    ],
  )
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
