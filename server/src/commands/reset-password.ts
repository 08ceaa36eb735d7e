import type { Database } from '../db/connect.ts'
import { endSessionsOf } from '../features/sessions/session-queries.ts'
import { hashPassword } from '../features/users/passwords.ts'
import { setPassword } from '../features/users/user-queries.ts'
import { momentOf } from '../http/timestamps.ts'
import { command } from './command.ts'
import { choosePassword, findPerson } from './person-words.ts'

export const resetPassword = command({
  name: 'user reset-password',
  parameters: ['E-MAIL'],
  summary: 'gives a user a new password, and ends the sessions of the user',
  help: `Makes a password up, and prints it once. The user is asked for another one after the login.
Two-factor stays as it is. Works whether the service runs or not. "user list" shows who there is.

  --stdin  takes the password from the first line of standard input instead`,
  options: { stdin: { type: 'boolean' } },
  async run({ say, log, withDatabase }, [email = ''], { stdin }) {
    const { password, isMadeUp } = await choosePassword(email, stdin)
    await withDatabase(async ({ db }) => {
      const userId = await giveTo(db, email, password)
      log.info({ userId }, 'password reset by the operator')
    })
    say(
      isMadeUp ? `The new password of ${email} is  ${password}` : `${email} has the new password.`,
    )
    say('All sessions of the user have ended. Two-factor stays as it is.')
    return { email, ...(isMadeUp ? { password } : {}) }
  },
})

/** Returns the user's id. @throws Error for a person to read when no user has the e-mail. */
async function giveTo(db: Database, email: string, password: string): Promise<number> {
  const user = await findPerson(db, email)
  const passwordHash = await hashPassword(password)
  const now = momentOf(new Date())
  await db.transaction(async (tx) => {
    await setPassword(tx, user.id, { passwordHash, mustChange: true }, now)
    await endSessionsOf(tx, user.id, undefined, now)
  })
  return user.id
}
