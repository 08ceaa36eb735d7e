import { resolve } from 'node:path'
import { type Manifest, readManifest } from '../db/backup/manifest.ts'
import { restoreBackup } from '../db/backup/restore-backup.ts'
import { type Progress, writeBackup } from '../db/backup/write-backup.ts'
import { command } from './command.ts'

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
  run: async ({ say, withNewDatabase }, [directory = '']) => {
    const path = resolve(directory)
    const manifest = await readManifest(path)
    await withNewDatabase(async ({ url, where }) => {
      say(`Loading ${path}, as of ${manifest.takenAt}, into ${where}.`)
      await restoreBackup(url, path, manifest, tellProgress(say))
      say(`Done: ${countsOf(manifest)}. Every count is that of the backup.`)
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

function countsOf({ tables }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return `${rows.toLocaleString('en-US')} rows of ${tables.length} tables`
}
