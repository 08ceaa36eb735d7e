import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, chown, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode, syncDirectory, writePrivateFile } from '../files.ts'
import { SetupError } from '../setup-error.ts'
import type { Place } from './place.ts'
import { mustRun } from './run-program.ts'
import { describeLoss } from './start-failure.ts'

/** Name of the database and of its owner, a role that is not a superuser. */
export const databaseName = 'lora_fleet_console'

/**
 * For a machine with 2 cores and 2 GB or more. The first start writes them to postgresql.conf, where
 * the operator may change them. wal_compression makes the image of a page that changes first after a
 * checkpoint 1.7 kB in place of 5.4, for 70 µs: a large fleet has one or two with each uplink, a busy
 * small one hardly any. The programs are built without lz4, which is quicker.
 */
const startingSettings = `
# Written by the first start; change what you like.
shared_buffers = 256MB
max_connections = 100
max_wal_size = 4GB
checkpoint_timeout = 15min
wal_compression = pglz
random_page_cost = 1.1
jit = off
`

/**
 * In MB, of a file of the write-ahead log. While a new file is filled with zeros, nobody's commit ends:
 * 30 ms with the usual 16 MB, 6 with these. That ends when `max_wal_size` of them exist to be used again.
 * Without the zeros (`wal_init_zero`), each commit would take a third longer until then.
 */
const walFileSize = 4

/** Milliseconds that initdb may take: usually 0.8 s, but minutes on a memory card. */
const patience = 600_000

/** Makes the cluster of `place` when it is missing. Throws when another major version made it. */
export async function ensureCluster(place: Place, isDurable: boolean): Promise<void> {
  await removeDrafts(place.area)
  if (!existsSync(place.cluster)) return makeCluster(place, isDurable)
  const made = await readFile(join(place.cluster, 'PG_VERSION'), 'utf8').catch((error) => {
    throw hasCode(error, 'ENOENT') ? describeLoss(place.cluster, 'PG_VERSION') : error
  })
  const major = place.programs.version.split('.')[0]
  if (made.trim() === major) return
  throw new SetupError(
    `The data in ${place.cluster} are of PostgreSQL ${made.trim()}, and this version of the` +
      ` program brings ${major}. Make a backup with the version that made them, and restore it with` +
      ' this one into a new DATA_DIR (docs/operation.md, "Upgrade").',
  )
}

/**
 * Makes the cluster, with its role and database, in a draft directory and renames it at the end. A
 * cluster is therefore complete or missing, even after a kill.
 */
async function makeCluster(place: Place, isDurable: boolean): Promise<void> {
  const { account, area, cluster, password, programs } = place
  const draft = join(area, `draft-${randomBytes(6).toString('hex')}`)
  const directory = join(draft, 'cluster')
  const passwordFile = join(draft, 'password')
  await mkdir(draft, { mode: 0o700 })
  writePrivateFile(passwordFile, `${password}\n`)
  for (const path of account ? [draft, passwordFile] : []) {
    await chown(path, account?.uid ?? -1, account?.gid ?? -1)
  }
  // C.UTF-8 sorts by code point, like C and as fast, but knows letters beyond ASCII.
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  const files = ['--data-checksums', `--wal-segsize=${walFileSize}`]
  const rest = ['--encoding=UTF8', ...files, ...(isDurable ? [] : ['--no-sync'])]
  const args = ['-D', directory, ...locale, ...access, ...rest]
  await mustRun(programs.initdb, args, { account, timeout: patience })
  await appendFile(join(directory, 'postgresql.conf'), startingSettings)
  // Single-user mode needs no server. Errors must not quote the password.
  const strict = ['-c', 'exit_on_error=on', '-c', 'log_min_error_statement=panic']
  const single = ['--single', '-D', directory, ...strict, 'postgres']
  const input =
    `create role ${databaseName} login createdb password '${password}'\n` +
    `create database ${databaseName} owner ${databaseName}\n`
  await mustRun(programs.postgres, single, { account, input, timeout: patience })
  await rename(directory, cluster)
  syncDirectory(area)
  await removeDrafts(area)
}

/**
 * Removes what a killed first start has left. This may fail while its initdb still runs; the next
 * start tries again.
 */
async function removeDrafts(area: string): Promise<void> {
  const names = (await readdir(area)).filter((name) => name.startsWith('draft-'))
  for (const name of names) {
    await rm(join(area, name), { recursive: true, force: true }).catch(() => {})
  }
}
