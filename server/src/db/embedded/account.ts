import { stat } from 'node:fs/promises'
import { SetupError } from '../setup-error.ts'
import { type Account, runProgram } from './run-program.ts'

/** The user that packages of PostgreSQL make, and that we make where there is none. */
const userName = 'postgres'

/**
 * PostgreSQL refuses to run as root. So as root it runs as the owner of the cluster, if there is
 * one (the numbers behind a name differ between container images), else as the user `postgres`,
 * which is made if need be. Undefined when we are not root: then it runs as we do.
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

/** Exported for its test by hand: `name` is `postgres` everywhere. */
export async function makeUser(name: string): Promise<Account> {
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

/** Whether `account` may read a file, found out by doing it: modes do not tell all (ACLs, mounts). */
export function canRead(account: Account, path: string): Promise<boolean> {
  return succeeds(account, ': < "$1"', path)
}

/** Whether `account` may make files in `directory`, and so reach it through all that is above. */
export function canWrite(account: Account, directory: string): Promise<boolean> {
  return succeeds(account, 'cd "$1" && : > probe.$$ && rm probe.$$', directory)
}

async function succeeds(account: Account, script: string, path: string): Promise<boolean> {
  const { code } = await runProgram('/bin/sh', ['-c', script, 'sh', path], { account })
  return code === 0
}
