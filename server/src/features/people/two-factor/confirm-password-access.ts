import { z } from 'zod'
import { bodyLimits } from '../../../http/endpoint.ts'
import { wrongPassword } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { endpoint } from '../../core-services.ts'
import { countRightGuess, countWrongGuess, refuseWhileWaiting } from '../sessions/guesses.ts'
import { provingAttempt } from '../sessions/login-limits.ts'
import { currentPassword } from '../users/password-fields.ts'
import { isPassword } from '../users/passwords.ts'
import { findUser } from '../users/user-queries.ts'
import { exampleSetup, issueToken } from './two-factor-setup.ts'

const confirmed = 'Confirm password success'

export const confirmPasswordAccess = endpoint({
  summary: 'Prove the current password: a token for setting two-factor up, or for removing it',
  bodyLimit: bodyLimits.proof,
  body: z.object(withExamples({ password: currentPassword }, { password: 'seven green lanterns' })),
  answer: z.object({
    status: z.literal(true),
    message: z.literal(confirmed),
    ...withExamples({ token_2fa: z.string() }, { token_2fa: exampleSetup.token }),
  }),
  failures: [400, 429, 503],
  change: 'untold',
  async handle({ body, caller, request }, services) {
    const { db, now, loginRateLimit } = services
    const { userId } = caller
    const { clientIp } = request
    const attempt = provingAttempt('password confirmation', userId, clientIp, loginRateLimit)
    await refuseWhileWaiting(services, attempt)
    const user = await findUser(db, userId)
    if (!(await isPassword(body.password, user?.password_hash))) {
      throw await countWrongGuess(services, attempt, userId, wrongPassword())
    }
    await countRightGuess(db, services, attempt)
    const token = await issueToken(db, caller, now())
    return { status: true as const, message: confirmed, token_2fa: token }
  },
})
