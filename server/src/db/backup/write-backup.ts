import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { makeWithParents } from '../embedded/data-directory.ts'
import { syncDirectory, writePrivateFile } from '../files.ts'
import { takeSnapshot } from './common-moment.ts'
import { type BackedUpTable, fileOf, format, type Manifest, manifestName } from './manifest.ts'
import { copyList, countRows, createLineCounter, inSession, listTables, quote } from './session.ts'

/** Called with the rows of a table that are copied so far. */
export type Progress = (table: string, rows: number) => void

const snapshot = 'begin transaction isolation level repeatable read read only'

/**
 * Copies all tables of the database at `url`, as of one moment, into a new directory. The service may
 * run meanwhile. Before the manifest is written, the lines of each file are compared with the rows
 * of its table at that moment.
 * @throws Error for a person to read: the directory is not empty, a count is wrong, or the machines of
 *   Citus had no common moment.
 */
export async function writeBackup(
  url: string,
  directory: string,
  onProgress: Progress = () => {},
): Promise<Manifest> {
  await makeEmptyDirectory(directory)
  const manifest = await inSession(url, snapshot, async (client) => {
    await takeSnapshot(url, client)
    const { takenAt, migrations, keys } = await readState(client)
    const tables: BackedUpTable[] = []
    for (const { name, columns } of await listTables(client)) {
      tables.push(await copyTable(client, directory, { name, columns }, onProgress))
    }
    const sequences = await readSequences(client)
    return { format, takenAt, migrations, keys, tables, sequences } as const
  })
  writePrivateFile(join(directory, manifestName), `${JSON.stringify(manifest, null, 2)}\n`)
  syncDirectory(directory)
  return manifest
}

async function makeEmptyDirectory(directory: string): Promise<void> {
  await makeWithParents(directory, 0o700)
  const names = await readdir(directory)
  if (names.length === 0) return
  const isUnfinished =
    !names.includes(manifestName) && names.some((name) => /\.copy\.gz$/.test(name))
  throw new Error(
    isUnfinished
      ? `${directory} holds a backup that did not finish: remove it, or name another directory.`
      : `${directory} is not empty: a backup goes into a new directory.`,
  )
}

async function readState(client: pg.Client) {
  const { rows: moments } = await client.query<{ now: string }>(
    `select to_char(clock_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now`,
  )
  const { rows: migrations } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations order by number',
  )
  const { rows: proofs } = await client.query<{ id: string }>(
    `select encode(key_id, 'hex') as id from seal_proofs order by key_id`,
  )
  return { takenAt: String(moments[0]?.now), migrations, keys: proofs.map(({ id }) => id) }
}

async function readSequences(client: pg.Client): Promise<Manifest['sequences']> {
  const { rows } = await client.query<{ name: string; last: string | null }>(
    // Under the name that it has on one PostgreSQL, and with what it had given there
    // (`freeIdentity` in ../distribution/distribute.ts).
    `select regexp_replace(sequencename, '_numbers$', '_seq') as name,
       coalesce(last_value, nullif(start_value - 1, 0)) as last
     from pg_sequences where schemaname = current_schema() order by 1`,
  )
  return rows.map(({ name, last }) => ({ name, last: last === null ? null : Number(last) }))
}

async function copyTable(
  client: pg.Client,
  directory: string,
  { name, columns }: Pick<BackedUpTable, 'name' | 'columns'>,
  onProgress: Progress,
): Promise<BackedUpTable> {
  const rows = await countRows(client, name)
  const counter = createLineCounter((lines) => onProgress(name, lines))
  const file = await open(fileOf(directory, name), 'wx', 0o600)
  try {
    await pipeline(
      client.query(copyTo(`copy ${quote(name)} (${copyList(columns)}) to stdout`)),
      counter.stream,
      createGzip({ level: 1 }),
      file.createWriteStream({ flush: true }),
    )
  } finally {
    await file.close().catch(() => {})
  }
  if (counter.lines() === rows) return { name, columns, rows, sha256: counter.sha256() }
  throw new Error(`${name} has ${rows} rows, but ${counter.lines()} were written.`)
}
