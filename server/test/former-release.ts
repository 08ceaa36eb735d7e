import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const migrations = 'server/src/db/migrations'

/** The code of an earlier commit, laid out so that it starts. */
export interface FormerRelease {
  ref: string
  /** Its `main.ts`. */
  main: string
  remove(): Promise<void>
}

/**
 * Finds the commit that is taken for the previous release where none is named: the last one without
 * the newest migration. Undefined in a tree without its history.
 */
export async function findFormerCommit(): Promise<string | undefined> {
  try {
    const added = await git('log', '-1', '--format=%H', '--diff-filter=A', '--', migrations)
    if (added === '') return undefined
    return await git('rev-parse', '--verify', '--quiet', `${added}~1`)
  } catch {
    return undefined
  }
}

/**
 * Unpacks the program of a commit into a directory of its own. It runs with the packages that are
 * installed here.
 * @throws Error for a person to read when the commit is not known, or needs other packages.
 */
export async function unpackRelease(ref: string): Promise<FormerRelease> {
  const commit = await git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`).catch(() => {
    throw new Error(`There is no commit ${ref} here.`)
  })
  const directory = await mkdtemp(join(tmpdir(), 'lora-fleet-former-'))
  const archive = join(directory, 'release.tar')
  await git('archive', '--output', archive, commit, 'package.json', 'server')
  await run('tar', ['-xf', archive, '-C', directory])
  await rm(archive)
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'))
  const lacking = await findLacking(directory)
  const remove = () => rm(directory, { recursive: true, force: true })
  if (lacking.length > 0) {
    await remove()
    throw new Error(`${ref} needs packages that are not installed here: ${lacking.join(', ')}.`)
  }
  return { ref: commit.slice(0, 8), main: join(directory, 'server/src/main.ts'), remove }
}

async function findLacking(directory: string): Promise<string[]> {
  const [former, present] = await Promise.all([directory, root].map(readDependencies))
  return Object.keys(former ?? {}).filter((name) => present?.[name] === undefined)
}

async function readDependencies(directory: string): Promise<Record<string, string>> {
  return JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')).dependencies
}

async function git(...words: string[]): Promise<string> {
  const { stdout } = await run('git', words, { cwd: root })
  return stdout.trim()
}
