import type { Queryable } from '../../db/connect.ts'
import { columnOf, numberArray, textArray } from '../../db/statements.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { ReadingValue } from '../../sensors/sensor.ts'
import { coarseStates, voltsOf } from '../inventory/coarse-states.ts'
import { keyOf } from '../inventory/uplink-columns.ts'
import { readByKey, spreadByKey, storedByKey, type UplinkKey } from './key-queries.ts'
import type { ShortColumns } from './short-columns.ts'
import type { DeviceState } from './state-queries.ts'
import {
  type GatewayOfUplink,
  readReceptions,
  type StoredReceptions,
  writeReceptions,
} from './stored-receptions.ts'

export interface Counter {
  organization_id: number
  uplink_count: number
}

/**
 * Locks the counters of the organizations for this transaction. All writers lock them in the same
 * order. No other writer adds uplinks to these organizations before the commit, so later reads stay
 * true.
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

export interface UplinkRow extends ShortColumns {
  organization_id: number
  ordinal: number
  device_id: number
  device_ordinal: number
  block: number
  event_time: string
  decoded_object: Record<string, ReadingValue>
  /** Undefined where the payload tells it (stored-text.ts). */
  decoded_message: string | undefined
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
  gateways: GatewayOfUplink[]
}

/**
 * Writes rows, states and counters in one statement. Each column travels as one array in the
 * notation of PostgreSQL, written here. Measured cheaper for both sides than JSON, which the server
 * parses again for every row, and than arrays written by the driver.
 */
export function insert(
  tx: Transaction,
  rows: UplinkRow[],
  states: DeviceState[],
  counters: Map<number, Counter>,
): void {
  const numbers = (read: (row: UplinkRow) => number | undefined) => {
    return columnOf(rows, read, numberArray)
  }
  const texts = (read: (row: UplinkRow) => string | undefined) => columnOf(rows, read, textArray)
  tx.send(
    `with stored as (
       insert into uplinks (
         organization_id, ordinal, device_id, device_ordinal, deduplication_key, event_time,
         event_type, sensor_sequence, decoded_object, decoded_message, payload, f_port, f_cnt,
         rssi, snr, latitude, longitude, data_rate, frequency, receptions, gateways,
         event_number, deduplication_id, block
       )
       select organization_id, ordinal, device_id, device_ordinal, deduplication_key, event_time,
         event_type, sensor_sequence::integer[], decoded_object, decoded_message, payload,
         f_port, f_cnt, rssi, snr, latitude, longitude, data_rate, frequency, receptions, '[]',
         event_number, deduplication_id, block
       from unnest(
         $1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::timestamptz[],
         $7::text[], $8::text[], $9::jsonb[], $10::text[], $11::bytea[], $12::integer[],
         $13::bigint[], $14::integer[], $15::double precision[], $16::double precision[],
         $17::double precision[], $18::text[], $19::bigint[], $20::text[], $29::smallint[],
         $30::uuid[], $32::integer[]
       ) as incoming (
         organization_id, ordinal, device_id, device_ordinal, deduplication_key, event_time,
         event_type, sensor_sequence, decoded_object, decoded_message, payload, f_port, f_cnt,
         rssi, snr, latitude, longitude, data_rate, frequency, receptions, event_number,
         deduplication_id, block
       )
     ), changed as (
       update device_states
       set uplink_count = incoming.uplink_count, last_seen = incoming.last_seen,
         status = incoming.status, status_times = incoming.status_times,
         block = incoming.block, block_ordinal = incoming.block_ordinal,
         ${coarseStates('incoming.last_seen', 'incoming.status', 'incoming.volts')}
       from unnest(
         $21::bigint[], $22::bigint[], $23::timestamptz[], $24::jsonb[], $25::jsonb[],
         $28::bigint[], $31::double precision[], $33::integer[], $34::bigint[]
       ) as incoming (
         device_id, uplink_count, last_seen, status, status_times, organization_id, volts, block,
         block_ordinal
       )
       where device_states.organization_id = incoming.organization_id
         and device_states.device_id = incoming.device_id
     )
     update organization_counters
     set uplink_count = incoming.uplink_count
     from unnest($26::bigint[], $27::bigint[]) as incoming (organization_id, uplink_count)
     where organization_counters.organization_id = incoming.organization_id`,
    [
      numbers((row) => row.organization_id),
      numbers((row) => row.ordinal),
      numbers((row) => row.device_id),
      numbers((row) => row.device_ordinal),
      texts((row) => row.deduplication_key),
      texts((row) => row.event_time),
      texts((row) => row.event_type),
      texts((row) => row.sensor_sequence && numberArray(row.sensor_sequence)),
      textArray(rows.map((row) => JSON.stringify(row.decoded_object))),
      texts((row) => row.decoded_message),
      textArray(rows.map((row) => `\\x${row.payload}`)),
      numbers((row) => row.f_port),
      numbers((row) => row.f_cnt),
      numbers((row) => row.rssi),
      numbers((row) => row.snr),
      numbers((row) => row.latitude),
      numbers((row) => row.longitude),
      texts((row) => row.data_rate),
      numbers((row) => row.frequency),
      textArray(rows.map((row) => writeReceptions(row.gateways))),
      numberArray(states.map((state) => state.device_id)),
      numberArray(states.map((state) => state.uplink_count)),
      textArray(states.map((state) => state.last_seen)),
      textArray(states.map((state) => JSON.stringify(state.status))),
      textArray(states.map((state) => JSON.stringify(state.status_times))),
      numberArray([...counters.values()].map((counter) => counter.organization_id)),
      numberArray([...counters.values()].map((counter) => counter.uplink_count)),
      numberArray(states.map((state) => state.organization_id)),
      numbers((row) => row.event_number),
      texts((row) => row.deduplication_id),
      numberArray(states.map((state) => voltsOf(state.status))),
      numbers((row) => row.block),
      numberArray(states.map((state) => state.block)),
      numberArray(states.map((state) => state.block_ordinal)),
    ],
  )
}

export interface HeardUplink {
  organization_id: number
  ordinal: number
  device_id: number
  deduplication_key: string
  gateways: GatewayOfUplink[]
}

const receptionsByKey = `next.organization_id, next.ordinal, next.device_id,
  ${keyOf('next')} as deduplication_key, next.receptions, next.gateways`
const receptionsBy = {
  stored: storedByKey(receptionsByKey),
  spread: spreadByKey(receptionsByKey),
}

/** Reads the gateways of stored uplinks. */
export async function findReceptions(
  tx: Queryable,
  keys: readonly UplinkKey[],
): Promise<HeardUplink[]> {
  const rows = await readByKey<HeardUplink & StoredReceptions>(tx, keys, receptionsBy)
  return rows.map((row) => ({ ...row, gateways: readReceptions(row) }))
}

/** Sets the gateways of uplinks. An uplink takes its signal and place from its first gateway. */
export async function setReceptions(tx: Queryable, rows: readonly HeardUplink[]): Promise<void> {
  const changes = rows.map(({ organization_id, ordinal, gateways }) => {
    const [best] = gateways
    return {
      organization_id,
      ordinal,
      receptions: writeReceptions(gateways),
      rssi: best?.rssi === undefined ? null : Math.round(best.rssi),
      snr: best?.snr ?? null,
      latitude: best?.lat ?? null,
      longitude: best?.lng ?? null,
    }
  })
  await tx.query(
    `update uplinks
     set receptions = changes.receptions, gateways = '[]', rssi = changes.rssi, snr = changes.snr,
       latitude = changes.latitude, longitude = changes.longitude
     from json_to_recordset($1::json) as changes (
       organization_id bigint, ordinal bigint, receptions text, rssi integer,
       snr double precision, latitude double precision, longitude double precision
     )
     where uplinks.organization_id = changes.organization_id and uplinks.ordinal = changes.ordinal`,
    [JSON.stringify(changes)],
  )
}
