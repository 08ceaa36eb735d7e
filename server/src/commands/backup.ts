import { resolve } from 'node:path'
import { type Manifest, readManifest } from '../db/backup/manifest.ts'
import { restoreBackup } from '../db/backup/restore-backup.ts'
import { type Progress, writeBackup } from '../db/backup/write-backup.ts'
import { keyIdOf } from '../db/seal.ts'
import { readSecretKeys, type SecretKeySource } from '../db/secret-keys.ts'
import { command, countOf } from './command.ts'

export const backup = command({
  name: 'backup',
  parameters: ['DIRECTORY'],
  summary: 'copies the whole database into a new directory',
  help: `The service may run meanwhile: all tables are copied as they are at one moment. Each table becomes
one file, whose lines are counted against its rows.

The key that seals secrets is not in the backup. Keep SECRET_KEY, or the file secret.key of DATA_DIR,
in another place: without it no device key and no credential of the backup can be read.`,
  options: {},
  run: ({ say, withDatabase }, [directory = '']) =>
    withDatabase(async ({ url, where }) => {
      const path = resolve(directory)
      say(`Copying ${where} to ${path}.`)
      const manifest = await writeBackup(url, path, tellProgress(say))
      say(`Done: ${countsOf(manifest)}, as of ${manifest.takenAt}. Every count was checked.`)
      say(`Keep the key ${manifest.keys.join(', ')} (SECRET_KEY or secret.key) in another place.`)
      return { directory: path, ...toResult(manifest) }
    }),
})

export const restore = command({
  name: 'restore',
  parameters: ['DIRECTORY'],
  summary: 'loads a backup into an empty database',
  help: `DATABASE_URL names an empty database, or DATA_DIR a directory without one. All tables are loaded in
one transaction; their rows are counted against the backup. A restore that fails leaves the database
empty.

The service then needs the key with which it ran when the backup was taken: SECRET_KEY, or the file
secret.key in DATA_DIR.`,
  options: {},
  run: async ({ config, say, withNewDatabase }, [directory = '']) => {
    const path = resolve(directory)
    const manifest = await readManifest(path)
    const lacking = findLacking(manifest, config)
    return withNewDatabase(async ({ url, where }) => {
      say(`Loading ${path}, as of ${manifest.takenAt}, into ${where}.`)
      await restoreBackup(url, path, manifest, tellProgress(say))
      say(`Done: ${countsOf(manifest)}. Every count is that of the backup.`)
      if (lacking.length > 0) say(tellLacking(lacking))
      return { database: where, ...toResult(manifest), keys_missing: lacking }
    })
  },
})

/** Milliseconds between two lines. */
const pause = 2000

/** Tells the progress of a copy, at most one line in two seconds. */
function tellProgress(say: (line: string) => void): Progress {
  let toldAt = performance.now()
  return (table, rows) => {
    if (performance.now() - toldAt < pause) return
    toldAt = performance.now()
    say(`  ${table}: ${rows.toLocaleString('en-US')} rows so far`)
  }
}

/** The keys of a backup that the service will need and that these settings do not give. */
function findLacking({ keys }: Manifest, config: SecretKeySource): string[] {
  const given = readSecretKeys(config).map((key) => keyIdOf(key).toString('hex'))
  return keys.filter((id) => !given.includes(id))
}

function tellLacking(ids: readonly string[]): string {
  return (
    `The service will not start without the key ${ids.join(', ')}, which these settings do not give:` +
    ' set SECRET_KEY, or put the file secret.key back into DATA_DIR.'
  )
}

function countsOf({ tables }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return `${countOf(rows, 'row')} of ${countOf(tables.length, 'table')}`
}

function toResult({ takenAt, keys, tables }: Manifest) {
  return {
    taken_at: takenAt,
    keys,
    tables: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
  }
}
