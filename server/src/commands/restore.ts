import { resolve } from 'node:path'
import { readManifest } from '../db/backup/manifest.ts'
import { restoreBackup } from '../db/backup/restore-backup.ts'
import { command } from './command.ts'
import { countsOf, tellProgress } from './copy-progress.ts'

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
