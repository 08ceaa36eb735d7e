import { spawn } from 'node:child_process'

/** The system user that a program runs as. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

export interface ProgramResult {
  /** Exit code; -1 when a signal ended it. */
  readonly code: number
  readonly output: string
  readonly errors: string
}

export interface RunOptions {
  /** Another user to run as; only root may. */
  readonly account?: Account | undefined
  readonly input?: string
  /** Milliseconds until it is killed. Default 60 s. */
  readonly timeout?: number
}

/**
 * What programs of PostgreSQL get to see of our environment: no settings of ours (secrets among
 * them), and none that would steer PostgreSQL (PGDATA, PGPORT ...). Messages in English, since
 * some are read by us. Windows programs do not start without its own few.
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
 * Runs a program to its end, away from our working directory, which `account` may not be allowed
 * to enter.
 * @throws Error when it can't be started at all (EACCES, ENOENT).
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
      // Ctrl-C goes to every process of a terminal; what is under way ends whole, and then we do.
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
    // It may end without reading its input.
    child.stdin.on('error', () => {})
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? -1, output, errors }))
    child.stdin.end(options.input ?? '')
  })
}

/** As `runProgram`, for a program that has to succeed. */
export async function mustRun(
  path: string,
  args: readonly string[],
  options?: RunOptions,
): Promise<string> {
  const { code, output, errors } = await runProgram(path, args, options)
  if (code === 0) return output
  throw new Error(`${path} failed (${code}): ${errors.trim() || output.trim()}`)
}
