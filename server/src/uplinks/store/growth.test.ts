import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase } from '../../../test/database.ts'
import { connect } from '../../db/connect.ts'
import * as batchQueries from '../../features/fleet/devices/device-write-queries.ts'
import {
  findDevices,
  type KnownDevice,
  lookUpKeyOf,
} from '../../features/fleet/inventory/named-device-queries.ts'
import type { NamedArrival } from './arrival.ts'
import { storeUplinks } from './batch-writer.ts'

const { url, db: main, drop } = await createTestDatabase()
// Plans as old as they get are the subject of db/connect.test.ts; this is how the newest are.
const db = connect(url, { max: 1, planLifetime: 0 })
after(async () => {
  await db.close()
  await drop()
})

const tables = ['devices', 'device_states', 'uplinks', 'frame_memories']

const euiOf = (number: number) => number.toString(16).toUpperCase().padStart(16, '0')
const euis = Array.from({ length: 20 }, (_, at) => euiOf(at + 1))

/** Devices and as many uplinks of the first of them, by the numbers from `first` to `last`. */
async function fill(first: number, last: number): Promise<void> {
  await db.query(
    `with device as (
       insert into devices (
         id, organization_id, device_eui, join_eui, name, type_id, network, register_method,
         register_status, user_id
       )
       overriding system value
       select number, 1, upper(lpad(to_hex(number), 16, '0')), '', '', 16, 'chirpstack',
         'user_account', 'active', 1
       from generate_series($1::integer, $2::integer) as number
       returning id
     ), state as (
       insert into device_states (device_id, organization_id) select id, 1 from device
     ), memory as (
       insert into frame_memories (organization_id, device_id, memory) select 1, id, '{}' from device
     )
     insert into uplinks (
       organization_id, ordinal, device_id, device_ordinal, deduplication_key, event_time,
       event_type, sensor_sequence, decoded_object, decoded_message, payload, f_port, f_cnt, receptions
     )
     select 1, 1000000 + id, 1, 1000000 + id, id, now(), 'UNKNOWN', '{}', '{}', '', '', 1, 1, '[]'
     from device`,
    [first, last],
  )
}

const account = { id: 1, organizationId: 1, tenantId: 1, network: 'chirpstack', isVendor: false }
let frames = 0

/** A report of a spectrum, which is read with what is kept of its device. */
function makeArrival(device: KnownDevice): NamedArrival {
  frames += 1
  return {
    arrival: {
      account,
      uplink: {
        ...{ kind: 'uplink', devEui: device.eui, deduplicationKey: `frame ${frames}` },
        ...{ receivedAt: '2026-03-01T12:00:00.000000Z', fPort: 2, fCnt: frames },
        ...{ payload: Buffer.from('101c000100139f', 'hex'), receptions: [], isPartial: true },
      },
      message: Buffer.alloc(0),
      deadline: 0,
    },
    arrivedAt: '2026-03-01T12:00:00.000000Z',
    device,
  }
}

const keys = euis.map((eui) => lookUpKeyOf(account, eui))

/** Stores an uplink of each device twice, and looks them up as a batch of registrations does. */
async function ingest(): Promise<void> {
  const devices = await findDevices(db, keys)
  assert.equal(devices.length, euis.length)
  const arrivals = devices.map(makeArrival)
  await storeUplinks(db, arrivals)
  await storeUplinks(db, arrivals)
  assert.equal((await batchQueries.findByEuis(db, 1, euis)).length, euis.length)
}

/** Rows that were read by reading a whole table, by its name. */
async function countScanned(): Promise<Record<string, number>> {
  await db.query('select pg_stat_force_next_flush()')
  const rows = await db.query<{ table: string; rows: number }>(
    `select relname as table, seq_tup_read as rows from pg_stat_user_tables
     where relname = any($1::text[])`,
    [tables],
  )
  return Object.fromEntries(rows.map(({ table, rows }) => [table, rows]))
}

before(async () => {
  await main.query(
    `with owner as (
       insert into users (id, email, normal_email, password_hash, first_name, last_name)
       overriding system value values (1, '', '', '', '', '')
     ), organization as (
       insert into organizations (id, name) overriding system value values (1, '')
     )
     insert into organization_counters (organization_id) values (1)`,
  )
})

/** Rows of a table that were read, by whatever way. */
async function countRead(table: string): Promise<number> {
  await db.query('select pg_stat_force_next_flush()')
  const [read] = await db.query<{ rows: number }>(
    `select seq_tup_read + idx_tup_fetch as rows from pg_stat_user_tables where relname = $1`,
    [table],
  )
  return read?.rows ?? 0
}

/** Organizations from the second on, with so many devices each. */
async function addOrganizations(count: number, devices: number): Promise<void> {
  await main.query(
    `with organization as (
       insert into organizations (id, name) overriding system value
       select number, '' from generate_series(2, $1::integer + 1) as number
       returning id
     ), device as (
       insert into devices (
         id, organization_id, device_eui, join_eui, name, type_id, network, register_method,
         register_status, user_id
       )
       overriding system value
       select organization.id * 100000 + number, organization.id,
         upper(lpad(to_hex(organization.id * 100000 + number), 16, '0')), '', '', 16, 'chirpstack',
         'user_account', 'active', 1
       from organization cross join generate_series(1, $2::integer) as number
       returning id, organization_id
     )
     insert into device_states (device_id, organization_id) select id, organization_id from device`,
    [count, devices],
  )
}

test('looks for repeats among the many uplinks of a device before the first analysis', async () => {
  await main.query('alter table uplinks set (autovacuum_enabled = false)')
  await fill(1, 20)
  await ingest()
  await main.query(
    `insert into uplinks (
       organization_id, ordinal, device_id, device_ordinal, deduplication_key, event_time,
       event_type, sensor_sequence, decoded_object, decoded_message, payload, f_port, f_cnt, receptions
     )
     select 1, -number, 1 + number % 20, -number, 'old ' || number, now(), 'UNKNOWN', '{}', '{}', '', '',
       1, 1, '[]'
     from generate_series(1, 20000) as number`,
  )
  const before = await countRead('uplinks')
  await ingest()
  const read = (await countRead('uplinks')) - before
  assert.ok(read > 0 && read < 10 * euis.length, `${read} rows`)
})

test('uplinks of a large organization among many small ones read the rows of their devices', async () => {
  await fill(21, 1000)
  await addOrganizations(1000, 10)
  const read = ['devices', 'device_states']
  for (const table of read) await main.query(`vacuum analyze ${table}`)
  const before = await Promise.all(read.map(countRead))
  for (let run = 0; run < 8; run += 1) await ingest()
  const after = await Promise.all(read.map(countRead))
  for (const [at, table] of read.entries()) {
    const rows = (after[at] ?? 0) - (before[at] ?? 0)
    // Two batches a run, each reads and writes, and updates find their rows again.
    assert.ok(rows > 0 && rows < 10 * 8 * euis.length, `${rows} rows of ${table}`)
  }
})

test('uplinks are stored without reading whole tables that grew since they were analysed', async () => {
  for (const table of tables) {
    await main.query(`alter table ${table} set (autovacuum_enabled = false)`)
    await main.query(`vacuum analyze ${table}`)
  }
  // Beyond the five runs after which PostgreSQL plans for any values (plancache.c).
  for (let run = 0; run < 8; run += 1) await ingest()
  await fill(1001, 10_000)
  const before = await countScanned()
  await ingest()
  assert.deepEqual(await countScanned(), before)
})
