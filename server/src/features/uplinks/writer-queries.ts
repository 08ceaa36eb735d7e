import { createHash } from 'node:crypto'
import type { Queryable } from '../../db/connect.ts'
import type { ReadingValue } from '../../sensors/sensor.ts'
import type { DeviceState } from './device-state.ts'

export interface KnownDevice {
  id: number
  organization_id: number
  eui: string
  network: string
  register_method: string
}

/** The registered devices of these EUIs (in their normal form), by EUI. */
export async function findDevices(
  db: Queryable,
  euis: string[],
): Promise<Map<string, KnownDevice>> {
  const devices = await db.query<KnownDevice>(
    `select id, organization_id, eui, network, register_method
     from devices
     where eui = any($1::text[]) and deleted_at is null`,
    [euis],
  )
  return new Map(devices.map((device) => [device.eui, device]))
}

export interface Counter {
  organization_id: number
  uplink_count: number
}

/**
 * Takes the organizations' counters for this transaction, in one order for all writers: from here
 * to the commit no other writer adds uplinks to them, so what is read next stays true.
 */
export async function lockCounters(
  tx: Queryable,
  organizations: number[],
): Promise<Map<number, Counter>> {
  const counters = await tx.query<Counter>(
    `select organization_id, uplink_count
     from organization_counters
     where organization_id = any($1::bigint[])
     order by organization_id
     for update`,
    [organizations],
  )
  return new Map(counters.map((counter) => [counter.organization_id, counter]))
}

/** The state of the devices, and which of the keys (as `device_id key`) are stored already. */
export async function readBefore(
  tx: Queryable,
  keys: { organization_id: number; device_id: number; key: string }[],
): Promise<{ states: Map<number, DeviceState>; stored: Set<string> }> {
  const states = await tx.query<DeviceState & { stored: string[] | null }>(
    `with incoming as (
       select organization_id, device_id, key
       from json_to_recordset($1::json)
         as incoming (organization_id bigint, device_id bigint, key text)
     ), stored as (
       select uplinks.device_id, array_agg(uplinks.deduplication_key) as keys
       from incoming
       join uplinks on uplinks.organization_id = incoming.organization_id
         and uplinks.device_id = incoming.device_id
         and uplinks.deduplication_key = incoming.key
       group by uplinks.device_id
     )
     select states.device_id, states.uplink_count, states.status, states.status_times,
       to_char(states.last_seen, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as last_seen,
       stored.keys as stored
     from device_states as states
     left join stored on stored.device_id = states.device_id
     where states.device_id in (select device_id from incoming)`,
    [JSON.stringify(keys)],
  )
  return {
    states: new Map(states.map(({ stored: _, ...state }) => [state.device_id, state])),
    stored: new Set(
      states.flatMap(({ device_id, stored }) => (stored ?? []).map((key) => `${device_id} ${key}`)),
    ),
  }
}

export interface UplinkRow {
  organization_id: number
  ordinal: number
  device_id: number
  device_ordinal: number
  deduplication_key: string
  event_time: string
  event_type: string
  sensor_sequence: number[]
  decoded_object: Record<string, ReadingValue>
  decoded_message: string
  /** Hexadecimal. */
  payload: string
  f_port: number
  f_cnt: number
  rssi: number | undefined
  snr: number | undefined
  latitude: number | undefined
  longitude: number | undefined
  data_rate: string | undefined
  frequency: number | undefined
  gateways: object[]
}

/**
 * Rows, states and counters in one statement. The rows travel as one JSON text: measured cheaper
 * than an array for each column, which the driver would write element by element.
 */
export async function insert(
  tx: Queryable,
  rows: UplinkRow[],
  states: DeviceState[],
  counters: Map<number, Counter>,
): Promise<void> {
  await tx.query(
    `with stored as (
       insert into uplinks (
         organization_id, ordinal, device_id, device_ordinal, deduplication_key, event_time,
         event_type, sensor_sequence, decoded_object, decoded_message, payload, f_port, f_cnt,
         rssi, snr, latitude, longitude, data_rate, frequency, gateways
       )
       select organization_id, ordinal, device_id, device_ordinal, deduplication_key, event_time,
         event_type, sensor_sequence, decoded_object, decoded_message, decode(payload, 'hex'),
         f_port, f_cnt, rssi, snr, latitude, longitude, data_rate, frequency, gateways
       from json_to_recordset($1::json) as incoming (
         organization_id bigint, ordinal bigint, device_id bigint, device_ordinal bigint,
         deduplication_key text, event_time timestamptz, event_type text,
         sensor_sequence integer[], decoded_object jsonb, decoded_message text, payload text,
         f_port integer, f_cnt bigint, rssi integer, snr double precision,
         latitude double precision, longitude double precision, data_rate text, frequency bigint,
         gateways jsonb
       )
     ), changed as (
       update device_states
       set uplink_count = incoming.uplink_count, last_seen = incoming.last_seen,
         status = incoming.status, status_times = incoming.status_times
       from json_to_recordset($2::json) as incoming (
         device_id bigint, uplink_count bigint, last_seen timestamptz, status jsonb,
         status_times jsonb
       )
       where device_states.device_id = incoming.device_id
     )
     update organization_counters
     set uplink_count = incoming.uplink_count
     from json_to_recordset($3::json) as incoming (organization_id bigint, uplink_count bigint)
     where organization_counters.organization_id = incoming.organization_id`,
    [JSON.stringify(rows), JSON.stringify(states), JSON.stringify([...counters.values()])],
  )
}

export type QuarantineReason = 'unknown_device' | 'not_storable'

export interface QuarantinedMessage {
  organization_id: number
  network_account_id: number
  reason: QuarantineReason
  detail: string
  device_eui: string
  deduplication_key: string
  /** Hexadecimal. */
  message: string
}

/**
 * Keeps the messages and counts them once each, however often they are sent. It has to take what
 * nothing else takes, so the texts that come from a network are made fit first. The counters are
 * locked in the order of all writers.
 */
export async function quarantine(db: Queryable, messages: QuarantinedMessage[]): Promise<void> {
  await db.query(
    `with kept as (
       insert into quarantined_messages (
         organization_id, network_account_id, reason, detail, device_eui, deduplication_key, message
       )
       select organization_id, network_account_id, reason, detail, device_eui, deduplication_key,
         decode(message, 'hex')
       from json_to_recordset($1::json) as incoming (
         organization_id bigint, network_account_id bigint, reason text, detail text,
         device_eui text, deduplication_key text, message text
       )
       order by network_account_id, device_eui, deduplication_key
       on conflict do nothing
       returning organization_id
     ), locked as (
       select organization_id
       from organization_counters
       where organization_id in (select organization_id from kept)
       order by organization_id
       for update
     ), fresh as (
       select kept.organization_id, count(*) as messages
       from kept
       join locked on locked.organization_id = kept.organization_id
       group by kept.organization_id
     )
     update organization_counters
     set quarantine_count = organization_counters.quarantine_count + fresh.messages
     from fresh
     where organization_counters.organization_id = fresh.organization_id`,
    [JSON.stringify(messages.map(makeStorable))],
  )
}

function makeStorable(message: QuarantinedMessage): QuarantinedMessage {
  return {
    ...message,
    device_eui: storableText(message.device_eui),
    deduplication_key: storableText(message.deduplication_key),
  }
}

/** Far below what a row of an index holds (2,704 bytes, nbtree.h), three texts to the row. */
const longestKey = 500

/**
 * Different texts stay different. NUL and halves of surrogate pairs, which PostgreSQL has no
 * characters for, come out as JSON writes them; of a long text the hash is left.
 */
function storableText(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1)
  if (Buffer.byteLength(escaped) <= longestKey) return escaped
  return createHash('sha256').update(escaped).digest('hex')
}
