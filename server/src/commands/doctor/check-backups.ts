import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { manifestName, readManifest } from '../../db/backup/manifest.ts'
import { type DoctorSettings, type Finding, ok, skipped, warning } from './finding.ts'

const day = 24 * 3600_000
const oldDays = 2
const mostFolders = 1000

/** The latest whole backup below the folder that is given, or where backups usually are. */
export async function checkBackups(
  { dataDir }: DoctorSettings,
  folder: string | undefined,
): Promise<Finding> {
  const check = 'backup.age'
  const folders = folder === undefined ? ['backups', join(dataDir, 'backups')] : [folder]
  const found = (await Promise.all(folders.map((path) => findBackups(resolve(path))))).flat()
  const advice =
    'Run "lora-console backup FOLDER/NAME" each night by a timer, and copy it to another machine.'
  const [latest] = found.sort((a, b) => b.takenAt.getTime() - a.takenAt.getTime())
  if (!latest) {
    if (folder === undefined) {
      return skipped(check, 'No backup is here; --backups FOLDER tells where they are.')
    }
    return warning(check, `There is no whole backup in ${folder}.`, advice)
  }
  const days = (Date.now() - latest.takenAt.getTime()) / day
  const says = `The latest backup is ${ageOf(days)} old (${latest.path}).`
  return days > oldDays ? warning(check, says, advice) : ok(check, says)
}

function ageOf(days: number): string {
  if (days >= 2) return `${Math.floor(days)} days`
  const hours = Math.max(0, Math.floor(days * 24))
  return hours === 1 ? '1 hour' : `${hours} hours`
}

/** The folder itself may be a backup, or have them in it. */
async function findBackups(folder: string): Promise<{ path: string; takenAt: Date }[]> {
  const names = await readdir(folder).catch(() => [])
  const paths = [folder, ...names.slice(-mostFolders).map((name) => join(folder, name))]
  const backups = await Promise.all(
    paths.map(async (path) => {
      if (!(await stat(join(path, manifestName)).catch(() => undefined))) return undefined
      const manifest = await readManifest(path).catch(() => undefined)
      return manifest && { path, takenAt: new Date(manifest.takenAt) }
    }),
  )
  return backups.filter((one) => one !== undefined)
}
