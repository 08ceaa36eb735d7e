import { z } from 'zod'
import { wrongPassword } from '../../http/errors.ts'
import { countRightGuess, countWrongGuess, refuseWhileWaiting } from '../auth/guesses.ts'
import { provingAttempt } from '../auth/login-limits.ts'
import { currentPassword } from '../auth/password-fields.ts'
import { isPassword } from '../auth/passwords.ts'
import { findPasswordHash } from '../auth/user-queries.ts'
import { endpoint } from '../services.ts'
import { issueToken } from './setup-token.ts'

export const confirmPasswordAccess = endpoint({
  summary: 'Prove the current password: a token for setting two-factor up, or for removing it',
  body: z.object({ password: currentPassword }),
  answer: z.object({ status: z.literal(true), message: z.string(), token_2fa: z.string() }),
  failures: [400, 429, 503],
  async handle({ body, caller, request }, services) {
    const { db, now, loginRateLimit } = services
    const { userId } = caller
    const { clientIp } = request
    const attempt = provingAttempt('password confirmation', userId, clientIp, loginRateLimit)
    await refuseWhileWaiting(services, attempt)
    const known = await findPasswordHash(db, userId)
    if (!(await isPassword(body.password, known))) {
      throw await countWrongGuess(services, attempt, userId, wrongPassword())
    }
    await countRightGuess(db, services, attempt)
    const token = await issueToken(db, caller, now())
    return { status: true as const, message: 'Confirm password success', token_2fa: token }
  },
})
