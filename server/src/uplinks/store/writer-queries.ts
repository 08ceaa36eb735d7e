import type { Queryable } from '../../db/connect.ts'
import { formFor } from '../../db/distribution/form-for.ts'
import { isOfAny } from '../../db/distribution/places.ts'
import {
  arraysOf,
  type IncomingColumn,
  incoming,
  namesOf,
  numberArray,
  placesOf,
  valuesAt,
  valuesOf,
} from '../../db/statements.ts'
import type { Transaction } from '../../db/transaction.ts'
import {
  coarseStates,
  voltsOf,
  type Warning,
} from '../../features/fleet/inventory/coarse-states.ts'
import type { FrameMemory, ReadingValue, StatusChange } from '../../sensors/sensor.ts'
import { type GatewayOfUplink, toReceptions } from '../rows/receptions.ts'

/** For each field of a status, the time (`heardAt`) of the frame that set it. */
export type StatusTimes = Partial<Record<keyof StatusChange, string>> & {
  /** Since when warnings are `Yes`. */
  since?: Partial<Record<Warning, string>>
}

/** The state of a device from its uplinks, as the batch writer holds it. */
export interface DeviceState {
  organization_id: number
  device_id: number
  uplink_count: number
  /** ISO 8601 in UTC with microseconds; null before the first uplink. */
  last_seen: string | null
  status: StatusChange
  status_times: StatusTimes
  /** Whether its network holds downlinks for it. */
  has_held_downlinks: boolean
  /** See `KnownDevice`. */
  version: string
}

/**
 * Reads the states of devices. The same statement reads whether their networks hold downlinks, and the
 * versions of the devices, so that neither costs a statement of its own. The row of a device stays when
 * it is deleted. The last conditions are for Citus, which asks only the machines of these organizations.
 */
export async function readStates(
  tx: Queryable,
  devices: readonly { id: number; organization_id: number }[],
): Promise<Map<number, DeviceState>> {
  const given = [...new Map(devices.map((device) => [device.id, device])).values()]
  const organizations = given.map(({ organization_id }) => organization_id)
  const states = await tx.query<DeviceState>(
    `select device_states.organization_id, device_states.device_id, device_states.uplink_count,
       device_states.status, device_states.status_times, devices.xmin::text as version,
       to_char(device_states.last_seen, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as last_seen,
       exists (
         select from downlinks
         where downlinks.organization_id = device_states.organization_id
           and ${isOfAny('downlinks.organization_id', '$3')}
           and downlinks.device_id = device_states.device_id and downlinks.state = 'handed_over'
       ) as has_held_downlinks
     from unnest($1::bigint[], $2::bigint[]) as given (organization_id, device_id)
     join device_states on device_states.organization_id = given.organization_id
       and device_states.device_id = given.device_id
     join devices on devices.organization_id = given.organization_id
       and devices.id = given.device_id
     where ${isOfAny('device_states.organization_id', '$3')}
       and ${isOfAny('devices.organization_id', '$3')}`,
    [
      numberArray(organizations),
      numberArray(given.map(({ id }) => id)),
      numberArray([...new Set(organizations)]),
    ],
  )
  return new Map(states.map((state) => [state.device_id, state]))
}

interface MemoryRow {
  organization_id: number
  device_id: number
  memory: FrameMemory
}

/** Reads the stored parts of messages that take several frames, for each device. */
export function readMemories(
  tx: Queryable,
  devices: readonly { id: number; organization_id: number }[],
) {
  return tx.query<Omit<MemoryRow, 'organization_id'>>(
    `select device_id, memory
     from frame_memories
     where (organization_id, device_id) in (select * from unnest($1::bigint[], $2::bigint[]))
       and ${isOfAny('organization_id', '$1')}`,
    [devices.map((device) => device.organization_id), devices.map((device) => device.id)],
  )
}

export function writeMemories(tx: Transaction, rows: MemoryRow[]): void {
  tx.send(
    `insert into frame_memories (organization_id, device_id, memory)
     select organization_id, device_id, memory
     from json_to_recordset($1::json)
       as changed (organization_id bigint, device_id bigint, memory jsonb)
     on conflict (organization_id, device_id) do update set memory = excluded.memory`,
    [JSON.stringify(rows)],
  )
}

export interface Counter {
  organization_id: number
  uplink_count: number
}

/**
 * From here on the transaction waits at most 300 ms for each lock (SQLSTATE 55P03). For those of
 * several tenants: while another process holds the counter of one, the others wait no longer,
 * and each tenant is stored by itself then. A counter is usually held for some 10 ms.
 */
export async function waitBriefly(tx: Transaction): Promise<void> {
  const statements = await formFor(tx, {
    // Sent together with BEGIN, unlike `set`.
    whole: ["select set_config('lock_timeout', '300ms', true)"],
    // Citus passes on a `set local`, which is for the machine with the rows.
    spread: [
      "set local citus.propagate_set_commands = 'local'",
      "set local lock_timeout = '300ms'",
    ],
  })
  for (const statement of statements) tx.send(statement)
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

export interface UplinkRow {
  organization_id: number
  ordinal: number
  device_id: number
  device_ordinal: number
  deduplication_key: string
  event_time: string
  event_type: string
  sensor_sequence: readonly number[]
  decoded_object: Record<string, ReadingValue>
  /** Undefined where the payload tells it (uplinks/rows/message.ts). */
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

/** The columns of `uplinks` that a writer fills. */
const uplinkColumns: readonly IncomingColumn<UplinkRow>[] = [
  { name: 'organization_id', type: 'bigint', read: (row) => row.organization_id },
  { name: 'ordinal', type: 'bigint', read: (row) => row.ordinal },
  { name: 'device_id', type: 'bigint', read: (row) => row.device_id },
  { name: 'device_ordinal', type: 'bigint', read: (row) => row.device_ordinal },
  { name: 'deduplication_key', type: 'text', read: (row) => row.deduplication_key },
  { name: 'event_time', type: 'timestamptz', read: (row) => row.event_time },
  { name: 'event_type', type: 'uplink_event', read: (row) => row.event_type },
  {
    name: 'sensor_sequence',
    type: 'text',
    cast: 'integer[]',
    read: (row) => numberArray(row.sensor_sequence),
  },
  { name: 'decoded_object', type: 'jsonb', read: (row) => JSON.stringify(row.decoded_object) },
  { name: 'decoded_message', type: 'text', read: (row) => row.decoded_message },
  { name: 'payload', type: 'bytea', read: (row) => `\\x${row.payload}` },
  { name: 'f_port', type: 'integer', read: (row) => row.f_port },
  { name: 'f_cnt', type: 'bigint', read: (row) => row.f_cnt },
  { name: 'rssi', type: 'integer', read: (row) => row.rssi },
  { name: 'snr', type: 'double precision', read: (row) => row.snr },
  { name: 'latitude', type: 'double precision', read: (row) => row.latitude },
  { name: 'longitude', type: 'double precision', read: (row) => row.longitude },
  { name: 'data_rate', type: 'text', read: (row) => row.data_rate },
  { name: 'frequency', type: 'bigint', read: (row) => row.frequency },
  { name: 'receptions', type: 'jsonb', read: (row) => JSON.stringify(toReceptions(row.gateways)) },
]

const stateColumns: readonly IncomingColumn<DeviceState>[] = [
  { name: 'organization_id', type: 'bigint', read: (state) => state.organization_id },
  { name: 'device_id', type: 'bigint', read: (state) => state.device_id },
  { name: 'uplink_count', type: 'bigint', read: (state) => state.uplink_count },
  { name: 'last_seen', type: 'timestamptz', read: (state) => state.last_seen },
  { name: 'status', type: 'jsonb', read: (state) => JSON.stringify(state.status) },
  { name: 'status_times', type: 'jsonb', read: (state) => JSON.stringify(state.status_times) },
  { name: 'volts', type: 'double precision', read: (state) => voltsOf(state.status) },
]

const counterColumns: readonly IncomingColumn<Counter>[] = [
  { name: 'organization_id', type: 'bigint', read: (counter) => counter.organization_id },
  { name: 'uplink_count', type: 'bigint', read: (counter) => counter.uplink_count },
]

const firstOfStates = uplinkColumns.length + 1
const firstOfCounters = firstOfStates + stateColumns.length

/** SQL with parameters from this number on; the one after those of the states has all organizations. */
const changeStates = (first: number) => `update device_states
  set uplink_count = incoming.uplink_count, last_seen = incoming.last_seen,
    status = incoming.status, status_times = incoming.status_times,
    ${coarseStates('incoming.last_seen', 'incoming.status', 'incoming.volts')}
  from ${incoming(stateColumns, first)}
  where device_states.organization_id = incoming.organization_id
    and device_states.device_id = incoming.device_id
    and ${isOfAny('device_states.organization_id', `$${first + stateColumns.length}`)}`

const changeCounters = (first: number) => `update organization_counters
  set uplink_count = incoming.uplink_count
  from ${incoming(counterColumns, first)}
  where organization_counters.organization_id = incoming.organization_id
    and ${isOfAny('organization_counters.organization_id', `$${first}`)}`

const insertStatement = `with stored as (
    insert into uplinks (${namesOf(uplinkColumns)})
    select ${valuesOf(uplinkColumns)} from ${incoming(uplinkColumns)}
  ), changed as (${changeStates(firstOfStates)})
  ${changeCounters(firstOfCounters)}`

/** Uplinks of a batch, with the states of their devices and the counters of their organizations. */
interface Written {
  rows: readonly UplinkRow[]
  states: readonly DeviceState[]
  counters: ReadonlyMap<number, Counter>
}

/**
 * Writes rows, states and counters in one statement. The conditions by the organizations of the counters
 * are for Citus.
 */
function insertTogether(tx: Transaction, { rows, states, counters }: Written): void {
  tx.send(insertStatement, [
    ...arraysOf(uplinkColumns, rows),
    ...arraysOf(stateColumns, states),
    ...arraysOf(counterColumns, [...counters.values()]),
  ])
}

/**
 * At most so many rows are written as values. Measured on two workers: written so, one row costs two thirds
 * of the statement with all parts; sixty cost more than it.
 */
const mostByValues = 16

/**
 * For the rows of one shard on Citus, which passes the results of a statement with several parts through
 * the coordinator: each part by itself goes to the machine as it is.
 */
function insertApart(tx: Transaction, written: Written): void {
  const { rows, states, counters } = written
  if (rows.length > mostByValues) {
    insertTogether(tx, written)
    return
  }
  tx.send(
    `insert into uplinks (${namesOf(uplinkColumns)}) values ${placesOf(uplinkColumns, rows.length)}`,
    valuesAt(uplinkColumns, rows),
  )
  const ofCounters = arraysOf(counterColumns, [...counters.values()])
  const [organizations] = ofCounters
  tx.send(changeStates(1), [...arraysOf(stateColumns, states), organizations])
  tx.send(changeCounters(1), ofCounters)
}

/** How a batch is written to this database. */
export function findInsert(tx: Transaction) {
  return formFor(tx, { whole: insertTogether, spread: insertApart })
}

export type DatedRow = UplinkRow & { received_at: string }

const datedColumns: readonly IncomingColumn<DatedRow>[] = [
  ...uplinkColumns,
  { name: 'received_at', type: 'timestamptz', read: (row) => row.received_at },
]

/** Writes rows with the times at which they were received elsewhere. */
export async function insertRows(tx: Queryable, rows: readonly DatedRow[]): Promise<void> {
  await tx.query(
    `insert into uplinks (${namesOf(datedColumns)})
     select ${valuesOf(datedColumns)} from ${incoming(datedColumns)}`,
    arraysOf(datedColumns, rows),
  )
}
