import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { oldestServer } from '../src/db/migrate.ts'

/** The folder of the programs of a PostgreSQL that is new enough for the service and has Citus. */
export function findPrograms(given: string | undefined): string | undefined {
  for (const config of listConfigs(given)) {
    const read = (what: string) =>
      execFileSync(config, [what], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    try {
      if (Number.parseInt(read('--version').replace(/\D+/, ''), 10) < oldestServer) continue
      const bin = read('--bindir')
      if (existsSync(join(read('--pkglibdir'), 'citus.so')) && existsSync(join(bin, 'initdb'))) {
        return bin
      }
    } catch {
      // There is none.
    }
  }
  return undefined
}

/** The given one, those of Debian, and the one of the path. */
function listConfigs(given: string | undefined): string[] {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort().reverse() : []
  const ofDebian = versions.map((version) => join(debian, version, 'bin/pg_config'))
  return [given, ...ofDebian, 'pg_config'].filter((name) => name !== undefined)
}
