import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDirectory, writePrivateFile } from '../private-file.ts'
import { SetupError } from '../setup-error.ts'
import { canUsePrograms, copyPrograms, findPrograms, type Programs } from './programs.ts'
import type { Account } from './run-program.ts'
import { canWrite, chooseAccount } from './run-program.ts'

/** Where the embedded PostgreSQL lives, and as whom. */
export interface Place {
  readonly programs: Programs
  /** Undefined: as ourselves. */
  readonly account: Account | undefined
  /** The directory that PostgreSQL owns: the cluster and what belongs to it. */
  readonly area: string
  readonly cluster: string
  readonly password: string
  /** Whether the data lives elsewhere than in the data directory. */
  readonly isMoved: boolean
}

/** What the data directory remembers in `postgres.json`, for its owner only. */
interface Memory {
  readonly password: string
  /** Where the data lives when the data directory can't hold it. */
  readonly area?: string
}

/**
 * Finds the programs and a directory that PostgreSQL may use, and makes that directory.
 *
 * As root it runs as another user, who may be kept out of the checkout and of the data directory
 * (root's home is closed to all others). Then the programs run from a copy, and the data lives,
 * below `shelter`. `postgres.json` remembers the place, with a random part in its name, so that
 * an emptied data directory means a fresh start, not the old data again.
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

/** Makes `area`, owned by `account`, and says whether that user can get there. */
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
  // A data directory that is closed itself, often a mounted volume. Moving the data out of it
  // would lose them with the container, so let others pass through (not read): what is private
  // in it has its own mode.
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
  if (!memory.area && (await exists(join(dataDir, 'postgres', 'cluster')))) {
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

/** What the data directory remembers; undefined when it holds no database. */
export async function readMemory(dataDir: string): Promise<Memory | undefined> {
  const path = join(dataDir, 'postgres.json')
  if (!(await exists(path))) {
    if (!(await exists(join(dataDir, 'postgres', 'cluster')))) return undefined
    throw new SetupError(`${path} is missing: it holds the password of the database. Put it back.`)
  }
  const memory: unknown = JSON.parse(await readFile(path, 'utf8'))
  if (isMemory(memory)) return memory
  throw new SetupError(`${path} is damaged: it holds the password of the database. Put it back.`)
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

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
