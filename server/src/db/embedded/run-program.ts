import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { SetupError } from '../setup-error.ts'

/** The system user that a program runs as. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

interface ProgramResult {
  /** Exit code; -1 when a signal ended it. */
  readonly code: number
  readonly output: string
  readonly errors: string
}

interface RunOptions {
  /** Another user to run as. Only root may. */
  readonly account?: Account | undefined
  readonly input?: string
  /** Milliseconds until it is killed. Default 60 s. */
  readonly timeout?: number
}

/**
 * The environment of PostgreSQL's programs: no settings of the service (some are secrets), and none
 * that PostgreSQL would obey (PGDATA, PGPORT ...). Messages are in English, because this program
 * reads some of them. Windows programs need a few variables of Windows.
 */
export function programEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'TZ', 'TMPDIR', 'SystemRoot', 'SystemDrive', 'TEMP', 'TMP', 'USERNAME']
  const kept = names.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(kept), LC_ALL: 'C' }
}

/**
 * Runs a program to its end. Its working directory is `/`, because `account` may not enter ours.
 * @throws Error when it can't be started (EACCES, ENOENT).
 */
export function runProgram(
  path: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, {
      ...options.account,
      cwd: '/',
      // Ctrl-C goes to every process of a terminal, and must not interrupt the program.
      detached: process.platform !== 'win32',
      env: programEnvironment(),
      timeout: options.timeout ?? 60_000,
      killSignal: 'SIGKILL',
      windowsHide: true,
    })
    let output = ''
    let errors = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      errors += text
    })
    // The program may end without reading its input.
    child.stdin.on('error', () => {})
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? -1, output, errors }))
    child.stdin.end(options.input ?? '')
  })
}

/** Runs a program that has to succeed, and returns its output. */
export async function mustRun(
  path: string,
  args: readonly string[],
  options?: RunOptions,
): Promise<string> {
  const { code, output, errors } = await runProgram(path, args, options)
  if (code === 0) return output
  throw new Error(`${path} failed (${code}): ${errors.trim() || output.trim()}`)
}

/** The user that packages of PostgreSQL make. Made here when there is none. */
const userName = 'postgres'

/**
 * The user that PostgreSQL runs as when this process is root, which PostgreSQL refuses: the owner of
 * the cluster (a name may have other numbers in another container image), otherwise the user
 * `postgres`, which is made if needed. Undefined when this process is not root.
 */
export async function chooseAccount(cluster: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const owner = await stat(cluster).catch(() => undefined)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  return (await findUser(userName)) ?? makeUser(userName)
}

async function findUser(name: string): Promise<Account | undefined> {
  const [uid, gid] = await Promise.all([readId('-u', name), readId('-g', name)])
  return uid === undefined || gid === undefined ? undefined : { uid, gid }
}

async function readId(kind: '-u' | '-g', name: string): Promise<number | undefined> {
  const { code, output } = await runProgram('id', [kind, name])
  return code === 0 ? Number(output) : undefined
}

async function makeUser(name: string): Promise<Account> {
  const nowhere = ['--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin']
  const ways: [string, string[]][] = [
    ['useradd', ['--system', '--user-group', ...nowhere, name]],
    // Busybox, as in Alpine.
    ['adduser', ['-S', '-D', '-H', name]],
  ]
  for (const [program, args] of ways) {
    const { code } = await runProgram(program, args).catch(() => ({ code: -1 }))
    const account = code === 0 ? await findUser(name) : undefined
    if (account) return account
  }
  throw new SetupError(
    `PostgreSQL does not run as root, and no user "${name}" could be made. Make one, or start` +
      ' this program as another user, or give the address of a PostgreSQL in DATABASE_URL.',
  )
}

/** Whether `account` may read a file. Tries it: modes alone do not show it (ACLs, mounts). */
export function canRead(account: Account, path: string): Promise<boolean> {
  return succeeds(account, ': < "$1"', path)
}

/** Whether `account` may make files in `directory`, and enter all directories above it. */
export function canWrite(account: Account, directory: string): Promise<boolean> {
  return succeeds(account, 'cd "$1" && : > probe.$$ && rm probe.$$', directory)
}

async function succeeds(account: Account, script: string, path: string): Promise<boolean> {
  const { code } = await runProgram('/bin/sh', ['-c', script, 'sh', path], { account })
  return code === 0
}
