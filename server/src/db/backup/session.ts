import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import pg from 'pg'
import { toDatabaseError } from '../errors.ts'
import { findWritable } from '../hosts.ts'

/**
 * Runs `work` in one transaction on a connection of its own, without a time limit. The text form of
 * values does not depend on the server's settings.
 * @throws DatabaseUnavailable, or what `work` throws.
 */
export async function inSession<T>(
  url: string,
  begin: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: await findWritable(url),
    application_name: 'lora-console backup',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(
      `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0;
       set lock_timeout = '1min'; set timezone = 'UTC'; set datestyle = 'ISO';
       set client_encoding = 'UTF8'; set client_min_messages = warning`,
    )
    await client.query(begin)
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    throw toDatabaseError(error)
  } finally {
    // An uncommitted transaction is rolled back with the connection.
    await client.end().catch(() => {})
  }
}

export function quote(name: string): string {
  return pg.escapeIdentifier(name)
}

export function copyList(columns: readonly string[]): string {
  return columns.map(quote).join(', ')
}

/** All tables of the database, except those that its migrations are noted in. */
export async function listTables(
  client: pg.Client,
): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select pg_class.relname as name,
       array_agg(pg_attribute.attname::text order by pg_attribute.attnum) as columns
     from pg_class
     join pg_attribute on pg_attribute.attrelid = pg_class.oid and pg_attribute.attnum > 0
       and not pg_attribute.attisdropped and pg_attribute.attgenerated = ''
     where pg_class.relnamespace = current_schema()::regnamespace
       and pg_class.relkind in ('r', 'p') and not pg_class.relispartition
       and pg_class.relname <> 'schema_migrations'
     group by pg_class.relname
     order by pg_class.relname`,
  )
  return rows
}

export async function countRows(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query<{ rows: string }>(
    `select count(*) as rows from ${quote(table)}`,
  )
  return Number(rows[0]?.rows)
}

const lineFeed = 10

interface LineCounter {
  stream: Transform
  /** Lines so far. */
  lines(): number
  /** Of the whole stream; to be called once, at the end. */
  sha256(): string
}

/** Passes a file of COPY on, counts its lines and computes its hash. */
export function createLineCounter(onChunk: (lines: number) => void = () => {}): LineCounter {
  const hash = createHash('sha256')
  let lines = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) {
        lines += 1
      }
      onChunk(lines)
      done(null, chunk)
    },
  })
  return { stream, lines: () => lines, sha256: () => hash.digest('hex') }
}
