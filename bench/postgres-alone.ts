import { textArray } from '../server/src/db/statements.ts'
import type { Bench } from './bench.ts'

/** Connections of one server process for what networks send (server/src/start.ts). */
const connections = 4
/** Uplinks that are stored again and again, as often as the time allows. */
const mostRows = 50_000

/** The rows of the service, to be stored without it. */
export interface RowsAlone {
  /** Of a batch, as the service stored them. */
  batchSize: number
  statement: string
  /** The values of each batch: a list for each column. */
  batches: string[][]
}

/** Reads what the service stored after an ordinal of organization 1, and makes a table like its own. */
export async function readRows({ db }: Bench, after: number): Promise<RowsAlone> {
  await db.query('create table if not exists uplinks_alone (like uplinks including all)')
  const columns = await db.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = 'uplinks'::regclass and attnum > 0 and not attisdropped order by attnum`,
  )
  const names = columns.map(({ name }) => name).join()
  const given = columns.map((_, index) => `$${index + 1}::text[]`).join()
  const [found] = await db.query<{ size: number }>(
    `select (count(*) / count(distinct xmin::text))::integer as size from uplinks
     where organization_id = 1 and ordinal > $1`,
    [after],
  )
  const batchSize = Math.max(1, found?.size ?? 0)
  const rows = await db.query<Record<string, string | null>>(
    `select ${columns.map(({ name }) => `${name}::text`).join()} from uplinks
     where organization_id = 1 and ordinal > $1 order by ordinal limit $2`,
    [after, mostRows],
  )
  const batches: string[][] = []
  for (let at = 0; at < rows.length; at += batchSize) {
    const batch = rows.slice(at, at + batchSize)
    batches.push(columns.map(({ name }) => textArray(batch.map((row) => row[name]))))
  }
  const statement = `insert into uplinks_alone (${names}) overriding system value
    select ${columns.map(({ name, type }) => `${name}::${type}`).join()}
    from unnest(${given}) as given (${names})`
  return { batchSize, statement, batches }
}

/** Stores the rows in committed batches for some seconds. Returns how many a second. */
export async function storeAlone(
  { db, settings }: Bench,
  { batchSize, statement, batches }: RowsAlone,
): Promise<number> {
  let stored = 0
  let milliseconds = 0
  while (milliseconds < settings.seconds * 1000) {
    await db.query('truncate uplinks_alone')
    const waiting = [...batches]
    const begin = performance.now()
    await Promise.all(
      Array.from({ length: connections }, async () => {
        for (let batch = waiting.pop(); batch; batch = waiting.pop()) {
          await db.query(statement, batch)
          stored += batchSize
        }
      }),
    )
    milliseconds += performance.now() - begin
  }
  return (stored / milliseconds) * 1000
}
