import type { Database, Queryable } from '../../server/src/db/connect.ts'
import { signals } from './fleet.ts'
import type { FillPlan, Progress } from './plan.ts'
import { samplesPerType } from './samples.ts'

/** Rows of one transaction. */
const chunkSize = 100_000
const writers = 2

/** Every tenth uplink of an organization comes from its first device, which has a long list. */
const busyShare = 10

/**
 * Writes the uplinks that are still missing. Each chunk is noted in its transaction, so that an
 * interrupted filling goes on where it ended. The indexes are built at the end, which takes a third
 * of the time.
 */
export async function writeUplinks(
  db: Database,
  plan: FillPlan,
  onProgress: Progress,
): Promise<void> {
  await dropIndexes(db)
  const chunks = await db.query<{ first: number }>('select first from bench.chunks')
  const written = new Set(chunks.map(({ first }) => first))
  const missing = Array.from({ length: Math.ceil(plan.uplinks / chunkSize) }, (_, chunk) => chunk)
    .map((chunk) => chunk * chunkSize)
    .filter((first) => !written.has(first))
  const report = reporter(plan.uplinks, written.size * chunkSize, onProgress)
  const write = async () => {
    for (let first = missing.shift(); first !== undefined; first = missing.shift()) {
      const last = Math.min(plan.uplinks, first + chunkSize) - 1
      await writeChunk(db, plan, first, last)
      report(last - first + 1)
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  await buildIndexes(db, onProgress)
}

function reporter(all: number, before: number, onProgress: Progress): (rows: number) => void {
  const begin = performance.now()
  let done = 0
  return (rows) => {
    done += rows
    const perSecond = done / ((performance.now() - begin) / 1000)
    const minutes = Math.max(0, all - before - done) / perSecond / 60
    const count = (number: number) => Math.round(number).toLocaleString('en-US')
    onProgress(
      `${count(Math.min(all, before + done))} of ${count(all)} uplinks,` +
        ` ${count(perSecond)}/s, ${minutes.toFixed(1)} minutes left`,
    )
  }
}

function writeChunk(db: Database, plan: FillPlan, first: number, last: number): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.query('insert into bench.chunks values ($1)', [first])
    await tx.query(insertStatement, [first, last, plan.organizations, plan.uplinks, plan.days])
  })
}

/** SQL: when the uplink of a number was heard. */
const timeOf = (number: string) =>
  `(plan.ends_at - $5::double precision * (($4::bigint - ${number}) / $4::double precision)
      * interval '1 day')`

/**
 * `[first, last, organizations, uplinks, days]`: uplinks number first to last, counted from 0 in the
 * order of time. Every second one is of organization 1, the others of the other organizations in
 * turn. In an organization, all devices but the first send in turn.
 */
const insertStatement = `insert into uplinks (
    organization_id, ordinal, device_id, device_ordinal, deduplication_key, event_time,
    received_at, event_type, sensor_sequence, decoded_object, payload, f_port, f_cnt, rssi, snr,
    data_rate, frequency, receptions
  )
  select uplink.organization_id, uplink.place + 1, devices.id, 1 + uplink.turn,
    md5(uplink.number::text)::uuid::text, ${timeOf('uplink.number')},
    ${timeOf('uplink.number')} + interval '200 milliseconds',
    samples.event_type, samples.sensor_sequence, samples.decoded_object, samples.payload, 1,
    1 + uplink.turn, receptions.rssi, receptions.snr, 'SF7BW125',
    867100000 + 200000 * (uplink.number % 5), receptions.receptions
  from (
    select placed.*, fleet.organization_id, fleet.first_device,
      case when placed.place % ${busyShare} = 0 then 0
        else 1 + (placed.place - placed.place / ${busyShare} - 1) % (fleet.devices - 1) end
        as device,
      case when placed.place % ${busyShare} = 0 then placed.place / ${busyShare}
        else (placed.place - placed.place / ${busyShare} - 1) / (fleet.devices - 1) end as turn
    from (
      select number,
        case when $3::bigint = 1 or number % 2 = 0 then 0
          else 1 + (number / 2) % ($3 - 1) end as organization,
        case when $3 = 1 then number when number % 2 = 0 then number / 2
          else (number / 2) / ($3 - 1) end as place
      from generate_series($1::bigint, $2::bigint) as number
    ) as placed
    join bench.organizations as fleet on fleet.slot = placed.organization
  ) as uplink
  join bench.devices on devices.slot = uplink.first_device + uplink.device
  join bench.samples on samples.type_id = devices.type_id
    and samples.number = (1 + uplink.turn + devices.slot) % ${samplesPerType}
  join bench.receptions on receptions.gateway = devices.gateway
    and receptions.signal = uplink.number % ${signals}
  cross join bench.plan`

/** Notes the statements that make the indexes and the primary key again, and drops them. */
async function dropIndexes(db: Database): Promise<void> {
  const noted = await db.query('select from bench.indexes limit 1')
  if (noted.length > 0) return
  await db.transaction(async (tx) => {
    const indexes = await findIndexes(tx)
    for (const { name, definition, constraint } of indexes) {
      await tx.query('insert into bench.indexes values ($1, $2, false)', [name, definition])
      await tx.query(
        constraint ? `alter table uplinks drop constraint ${name}` : `drop index ${name}`,
      )
    }
  })
}

/** `on only` is how PostgreSQL writes the indexes of a partitioned table. */
function findIndexes(tx: Queryable) {
  return tx.query<{ name: string; definition: string; constraint: boolean }>(
    `select indexes.indexname as name, pg_constraint.oid is not null as constraint,
       case when pg_constraint.oid is null then replace(indexes.indexdef, ' ON ONLY ', ' ON ')
         else 'alter table uplinks add constraint ' || pg_constraint.conname || ' '
           || pg_get_constraintdef(pg_constraint.oid) end as definition
     from pg_indexes as indexes
     left join pg_constraint on pg_constraint.conname = indexes.indexname
       and pg_constraint.conrelid = 'uplinks'::regclass
     where indexes.schemaname = 'public' and indexes.tablename = 'uplinks'`,
  )
}

async function buildIndexes(db: Database, onProgress: Progress): Promise<void> {
  const indexes = await db.query<{ name: string; definition: string }>(
    'select name, definition from bench.indexes where not is_built',
  )
  for (const { name, definition } of indexes) {
    onProgress(`index ${name}`)
    await db.transaction(async (tx) => {
      await tx.query("set local maintenance_work_mem = '512MB'")
      await tx.query(definition)
      await tx.query('update bench.indexes set is_built = true where name = $1', [name])
    })
  }
}
