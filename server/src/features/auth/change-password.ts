import { z } from 'zod'
import { invalid, unauthenticated } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { momentOf } from '../../http/timestamps.ts'
import { endpoint } from '../core-services.ts'
import { countRightGuess, countWrongGuess, refuseWhileWaiting } from '../sessions/guesses.ts'
import { provingAttempt } from '../sessions/login-limits.ts'
import { endSessionsOf } from '../sessions/session-queries.ts'
import { currentPassword, newPassword, refuseOwnEmail } from '../users/password-fields.ts'
import { hashPassword, isPassword } from '../users/passwords.ts'
import { findUser, replacePassword } from '../users/user-queries.ts'

const body = z
  .object(
    withExamples(
      { current_password: currentPassword, password: newPassword },
      { current_password: 'seven green lanterns', password: 'eight quiet harbours' },
    ),
  )
  // Otherwise a person who has set it for the user would still know it.
  .refine((given) => given.password !== given.current_password, {
    path: ['password'],
    error: 'The new password must differ from the current one.',
  })

export const changePassword = endpoint({
  summary: 'Sets a new password of the user, and ends all other sessions',
  body,
  status: 204,
  failures: [429, 503],
  change: 'untold',
  async handle({ body, caller, request }, services) {
    const { db, now, loginRateLimit } = services
    const { userId, sessionId } = caller
    const { clientIp } = request
    // Counted together with /confirm-password-access: it is the same secret.
    const attempt = provingAttempt('password confirmation', userId, clientIp, loginRateLimit)
    await refuseWhileWaiting(services, attempt)
    const user = await findUser(db, userId)
    if (!user) throw unauthenticated()
    refuseOwnEmail(body.password, user.email)
    if (!(await isPassword(body.current_password, user.password_hash))) {
      throw await countWrongGuess(services, attempt, userId, wrongPassword())
    }
    const hashes = { from: user.password_hash, to: await hashPassword(body.password) }
    await db.transaction(async (tx) => {
      await countRightGuess(tx, services, attempt)
      const time = momentOf(now())
      if (!(await replacePassword(tx, userId, hashes, time))) throw wrongPassword()
      await endSessionsOf(tx, userId, sessionId, time)
    })
  },
})

function wrongPassword() {
  return invalid({ current_password: ['You have entered wrong password.'] })
}
