import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { listSpreadTables } from '../distribution/spread-tables.ts'
import { migrate, migrationsDirectory, readMigrations } from '../migrate.ts'
import { type BackedUpTable, fileOf, type Manifest } from './manifest.ts'
import { copyList, countRows, createLineCounter, inSession, listTables, quote } from './session.ts'
import type { Progress } from './write-backup.ts'

/**
 * Loads a backup into the empty database at `url` in one transaction, and brings it up to the last
 * migration. Every file must have the hash of the manifest, and every table its number of rows.
 * @throws Error for a person to read: the database is not empty or distributed, or the backup is damaged
 *   or of another version. The database then stays empty.
 */
export async function restoreBackup(
  url: string,
  directory: string,
  manifest: Manifest,
  onProgress: Progress = () => {},
): Promise<void> {
  checkMigrations(manifest)
  await inSession(url, 'begin', checkEmpty)
  await migrate(url, migrationsDirectory, { count: manifest.migrations.length })
  await inSession(url, 'begin', async (client) => {
    const tables = manifest.tables.map(({ name }) => quote(name)).join(', ')
    await client.query(`truncate ${tables}`)
    const foreignKeys = await takeForeignKeys(client)
    for (const table of manifest.tables) await load(client, directory, table, onProgress)
    for (const { table, name, definition } of foreignKeys) {
      await client.query(`alter table ${quote(table)} add constraint ${quote(name)} ${definition}`)
    }
    for (const { name, last } of manifest.sequences) {
      if (last !== null) await client.query('select setval($1::regclass, $2)', [quote(name), last])
    }
    for (const { name, rows } of manifest.tables)
      checkRows(name, rows, await countRows(client, name))
  })
  await migrate(url, migrationsDirectory)
  await inSession(url, 'begin', async (client) => {
    const tables = await listTables(client)
    // By name, because each system table would cause a warning in the log.
    await client.query(`analyze ${tables.map(({ name }) => quote(name)).join(', ')}`)
  })
}

function checkMigrations({ migrations }: Manifest): void {
  const known = readMigrations(migrationsDirectory)
  for (const [index, { name, checksum }] of migrations.entries()) {
    if (known[index]?.checksum === checksum) continue
    throw new Error(
      `The backup has migration ${name}, which this program does not have: restore it with the` +
        ' version that took it, or with a newer one.',
    )
  }
}

/** Empty tables are allowed: a failed restore leaves them. */
async function checkEmpty(client: pg.Client): Promise<void> {
  for (const { name } of await listTables(client)) {
    const { rows } = await client.query(`select 1 from ${quote(name)} limit 1`)
    if (rows.length === 0) continue
    throw new Error(
      `The database is not empty: its table ${name} has rows. A backup is restored into a new one.`,
    )
  }
  if ((await listSpreadTables(client)).length > 0) {
    throw new Error(
      'Citus has distributed the tables of this database. A backup is restored into a new one, which' +
        ' "lora-console distribute" then distributes.',
    )
  }
}

interface ForeignKey {
  table: string
  name: string
  definition: string
}

/** Drops and returns all foreign keys, because the tables refer to each other in circles. */
async function takeForeignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select pg_class.relname as table, pg_constraint.conname as name,
       pg_get_constraintdef(pg_constraint.oid) as definition
     from pg_constraint
     join pg_class on pg_class.oid = pg_constraint.conrelid
     where pg_constraint.contype = 'f' and pg_constraint.conparentid = 0
       and pg_class.relnamespace = current_schema()::regnamespace
     order by pg_class.relname, pg_constraint.conname`,
  )
  for (const { table, name } of rows) {
    await client.query(`alter table ${quote(table)} drop constraint ${quote(name)}`)
  }
  return rows
}

async function load(
  client: pg.Client,
  directory: string,
  { name, columns, rows, sha256 }: BackedUpTable,
  onProgress: Progress,
): Promise<void> {
  const counter = createLineCounter((lines) => onProgress(name, lines))
  const path = fileOf(directory, name)
  try {
    await pipeline(
      createReadStream(path),
      createGunzip(),
      counter.stream,
      client.query(copyFrom(`copy ${quote(name)} (${copyList(columns)}) from stdin`)),
    )
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${path} can't be loaded: ${reason}.`, { cause: error })
  }
  checkRows(name, rows, counter.lines())
  if (counter.sha256() !== sha256) throw new Error(`${path} was changed: its hash is another.`)
}

function checkRows(table: string, expected: number, found: number): void {
  if (found === expected) return
  throw new Error(`${table} has ${found} rows; the backup has ${expected}.`)
}
