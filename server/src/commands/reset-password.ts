import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import type { Database } from '../db/connect.ts'
import { endSessionsOf } from '../features/sessions/session-queries.ts'
import { findFaultOf } from '../features/users/password-fields.ts'
import { hashPassword } from '../features/users/passwords.ts'
import { findCredentials, setPassword } from '../features/users/user-queries.ts'
import { momentOf } from '../http/timestamps.ts'
import { command } from './command.ts'

export const resetPassword = command({
  name: 'user reset-password',
  parameters: ['E-MAIL'],
  summary: 'gives a user a new password, and ends the sessions of the user',
  help: `Makes a password up, and prints it once. The user is asked for another one after the login.
Two-factor stays as it is. Works whether the service runs or not. "user list" shows who there is.

  --stdin  takes the password from the first line of standard input instead`,
  options: { stdin: { type: 'boolean' } },
  async run({ say, log, withDatabase }, [email = ''], { stdin }) {
    const given = stdin ? await readLine() : undefined
    const fault = given === undefined ? undefined : findFaultOf(given, email)
    if (fault !== undefined) throw new Error(fault)
    const password = given ?? randomBytes(18).toString('base64url')
    await withDatabase(async ({ db }) => {
      const userId = await giveTo(db, email, password)
      log.info({ userId }, 'password reset by the operator')
    })
    say(
      given === undefined
        ? `The new password of ${email} is  ${password}`
        : `${email} has the new password.`,
    )
    say('All sessions of the user have ended. Two-factor stays as it is.')
    return { email, ...(given === undefined ? { password } : {}) }
  },
})

/** Returns the user's id. @throws Error for a person to read when no user has the e-mail. */
async function giveTo(db: Database, email: string, password: string): Promise<number> {
  const user = await findCredentials(db, email)
  if (!user) {
    throw new Error(`No user has the e-mail ${email}. lora-console user list shows who there is.`)
  }
  const passwordHash = await hashPassword(password)
  const now = momentOf(new Date())
  await db.transaction(async (tx) => {
    await setPassword(tx, user.id, { passwordHash, mustChange: true }, now)
    await endSessionsOf(tx, user.id, undefined, now)
  })
  return user.id
}

async function readLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line
  throw new Error('Standard input has no password.')
}
