import type { Database } from '../server/src/db/connect.ts'
import { registerDevices } from './fleet.ts'

/** Devices of the filled table; every tenth uplink comes from the first, so that it has a long list. */
export const fleetSize = 50_000
const busyShare = 10

/** Rows that one statement inserts. */
const chunkSize = 100_000
const writers = 2

/**
 * Replaces all uplinks by `rows` uplinks of organization 1, in the same state as the batch writer
 * leaves them, and calls `onProgress` with the number of rows so far. The indexes are built at the
 * end, which takes a third of the time.
 */
export async function fillUplinks(
  db: Database,
  rows: number,
  onProgress: (text: string) => void,
): Promise<void> {
  await registerDevices(db, fleetSize)
  await db.query('truncate uplinks')
  const indexes = await dropIndexes(db)
  await insertRows(db, rows, (done) => onProgress(`${done} of ${rows} rows`))
  for (const { name, definition } of indexes) {
    onProgress(`index ${name}`)
    await db.transaction(async (tx) => {
      await tx.query("set local maintenance_work_mem = '512MB'")
      await tx.query(definition)
    })
  }
  onProgress('counters')
  await setCounters(db, rows)
  onProgress('vacuum')
  // Otherwise autovacuum runs in the middle of a measure.
  await db.query('vacuum (analyze) uplinks')
  await db.query('vacuum (analyze) device_states')
}

interface DroppedIndex {
  name: string
  definition: string
}

/** Drops the indexes and the primary key, and returns the statements that create them again. */
async function dropIndexes(db: Database): Promise<DroppedIndex[]> {
  const indexes = await db.query<DroppedIndex & { constraint: string | null; key: string | null }>(
    `select indexes.indexname as name, indexes.indexdef as definition,
       pg_constraint.conname as constraint, pg_get_constraintdef(pg_constraint.oid) as key
     from pg_indexes as indexes
     left join pg_constraint on pg_constraint.conname = indexes.indexname
     where indexes.tablename = 'uplinks'`,
  )
  for (const { name, constraint } of indexes) {
    const what = constraint === null ? `drop index ${name}` : dropConstraint(constraint)
    await db.query(what)
  }
  return indexes.map(({ name, definition, constraint, key }) => ({
    name,
    definition: constraint === null ? definition : addConstraint(constraint, key ?? ''),
  }))
}

const dropConstraint = (name: string) => `alter table uplinks drop constraint ${name}`
const addConstraint = (name: string, key: string) =>
  `alter table uplinks add constraint ${name} ${key}`

async function insertRows(db: Database, rows: number, onProgress: (done: number) => void) {
  let next = 0
  let done = 0
  const write = async () => {
    while (next < rows) {
      const first = next
      next = Math.min(rows, next + chunkSize)
      await db.query(insertStatement, [first, next - 1, fleetSize, busyShare])
      done += Math.min(rows, first + chunkSize) - first
      onProgress(done)
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
}

/** `[first, last, devices, share]`: uplinks number first to last, counted from 0. */
const insertStatement = `insert into uplinks (
    organization_id, ordinal, device_id, device_ordinal, deduplication_key, event_time, event_type,
    sensor_sequence, decoded_object, decoded_message, payload, f_port, f_cnt, rssi, snr, data_rate,
    frequency, gateways
  )
  select 1, number + 1, devices.id, device_ordinal,
    '00000000-0000-4000-8000-' || lpad(to_hex(number), 12, '0'),
    timestamptz '2026-01-01 00:00:00.5+00' + number * interval '10 milliseconds',
    'AIR_TEMP_HUMIDITY_SENSOR', sequence, object, message, payload, 1, device_ordinal, -36, 10.5,
    'SF11BW125', 867100000, gateways
  from (
    select number,
      case when number % $4::bigint = 0 then 0
        else 1 + (number - number / $4 - 1) % ($3::bigint - 1) end as device,
      case when number % $4 = 0 then number / $4 + 1
        else 1 + (number - number / $4 - 1) / ($3 - 1) end as device_ordinal
    from generate_series($1::bigint, $2::bigint) as number
  ) as uplink
  join devices on devices.device_eui = '00aa00be' || lpad(to_hex(uplink.device), 8, '0')
  cross join (
    select array[0] as sequence, '\\x100d0017703d80'::bytea as payload,
      '{"eventDescription": "Periodic Report", "temperature": 23.7, "humidity": 61.8}'::jsonb
        as object,
      'Periodic Report<br>Current temperature in degrees Celsius: 23.7<br>Humidity in % relative humidity: 61.8'
        as message,
      '[{"gateway_eui": "0016c001f153a14c", "rssi": -36, "snr": 10.5}, {"gateway_eui": "0016c001f153a14d", "rssi": -80, "snr": 2}]'::jsonb
        as gateways
  ) as constants`

async function setCounters(db: Database, rows: number): Promise<void> {
  await db.query('update organization_counters set uplink_count = $1 where organization_id = 1', [
    rows,
  ])
  await db.query(
    `update device_states
     set uplink_count = counted.uplinks, last_seen = counted.latest
     from (
       select device_id, max(device_ordinal) as uplinks, max(event_time) as latest
       from uplinks group by device_id
     ) as counted
     where device_states.device_id = counted.device_id`,
  )
}
