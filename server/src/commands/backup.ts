import { resolve } from 'node:path'
import { writeBackup } from '../db/backup/write-backup.ts'
import { command } from './command.ts'
import { countsOf, tellProgress } from './copy-progress.ts'

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
