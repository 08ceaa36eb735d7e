import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDirectory, writePrivateFile } from '../files.ts'
import { SetupError } from '../setup-error.ts'
import { canUsePrograms, copyPrograms, findPrograms, type Programs } from './programs.ts'
import type { Account } from './run-program.ts'
import { canWrite, chooseAccount } from './run-program.ts'

/** Where the embedded PostgreSQL runs, and as which user. */
export interface Place {
  readonly programs: Programs
  /** Undefined: the user of this process. */
  readonly account: Account | undefined
  /** The directory of PostgreSQL's user, with the cluster in it. */
  readonly area: string
  readonly cluster: string
  readonly password: string
  /** The data is outside the data directory. */
  readonly isMoved: boolean
}

/** The content of `postgres.json` in the data directory, which only its owner may read. */
interface Memory {
  readonly password: string
  /** Where the data is, when not in the data directory. */
  readonly area?: string
}

/**
 * Finds the programs and a directory that PostgreSQL may use, and makes that directory.
 *
 * As root it runs as another user, who may have no access to the checkout or the data directory
 * (root's home is closed to others). The programs are then copied to `shelter`, and the data is made
 * there. `postgres.json` keeps the place, which has a random part in its name: an emptied data
 * directory means a fresh start, not the old data.
 */
export async function choosePlace(dataDir: string, shelter: string): Promise<Place> {
  const found = await findPrograms()
  const remembered = await readMemory(dataDir)
  const home = join(dataDir, 'postgres')
  const account = await chooseAccount(join(remembered?.area ?? home, 'cluster'))
  const isHomeUsed = !remembered?.area && (await makeUsable(home, account, dataDir))
  const memory = remembered ?? { password: randomBytes(24).toString('base64url') }
  const area = isHomeUsed ? home : await makeShelter(dataDir, memory, shelter, account)
  if (!remembered) await writeMemory(dataDir, isHomeUsed ? memory : { ...memory, area })
  const isReachable = !account || (await canUsePrograms(found, account))
  const programs = isReachable ? found : await copyPrograms(found, shelter)
  const { password } = memory
  return { programs, account, area, cluster: join(area, 'cluster'), password, isMoved: !isHomeUsed }
}

/** Makes `area` for `account`; returns whether that user can reach it. */
async function makeUsable(
  area: string,
  account: Account | undefined,
  dataDir?: string,
): Promise<boolean> {
  await mkdir(area, { recursive: true, mode: 0o700 })
  if (!account) return true
  await chown(area, account.uid, account.gid)
  if (await canWrite(account, area)) return true
  if (!dataDir) return false
  // The data directory itself is closed, often because it is a mounted volume. Data outside it would
  // be lost with the container, so other users may pass through it (not read it). Private files in
  // it have their own mode.
  const { mode } = await stat(dataDir)
  await chmod(dataDir, mode | 0o001)
  if (await canWrite(account, area)) return true
  await chmod(dataDir, mode)
  return false
}

async function makeShelter(
  dataDir: string,
  memory: Memory,
  shelter: string,
  account: Account | undefined,
): Promise<string> {
  if (!memory.area && existsSync(join(dataDir, 'postgres', 'cluster'))) {
    throw new SetupError(
      `The user that owns ${dataDir}/postgres/cluster can't get there any more: one of the` +
        ' directories above it is closed to that user.',
    )
  }
  await mkdir(shelter, { recursive: true, mode: 0o755 })
  const area = memory.area ?? join(shelter, `data-${randomBytes(6).toString('hex')}`)
  if (await makeUsable(area, account)) return area
  throw new SetupError(`The data of ${dataDir} belong in ${area}, which PostgreSQL can't use.`)
}

/** Reads `postgres.json`; undefined when the data directory holds no database. */
export async function readMemory(dataDir: string): Promise<Memory | undefined> {
  const path = join(dataDir, 'postgres.json')
  if (!existsSync(path)) {
    if (!existsSync(join(dataDir, 'postgres', 'cluster'))) return undefined
    throw new SetupError(`${path} is missing: it holds the password of the database. Put it back.`)
  }
  const memory = parseJson(await readFile(path, 'utf8'))
  if (isMemory(memory)) return memory
  throw new SetupError(`${path} is damaged: it holds the password of the database. Put it back.`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isMemory(value: unknown): value is Memory {
  return (
    typeof value === 'object' &&
    value !== null &&
    'password' in value &&
    typeof value.password === 'string' &&
    (!('area' in value) || typeof value.area === 'string')
  )
}

async function writeMemory(dataDir: string, memory: Memory): Promise<void> {
  const path = join(dataDir, 'postgres.json')
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writePrivateFile(draft, `${JSON.stringify(memory, null, 2)}\n`)
  await rename(draft, path)
  syncDirectory(dataDir)
}
