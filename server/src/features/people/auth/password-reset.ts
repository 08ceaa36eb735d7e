import { z } from 'zod'
import { invalid } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { requiredLines, requiredText } from '../../../http/fields.ts'
import { momentOf } from '../../../http/timestamps.ts'
import { openEndpoint } from '../../core-services.ts'
import { countRequest } from '../sessions/guesses.ts'
import { resetAttempt } from '../sessions/login-limits.ts'
import { endSessionsOf } from '../sessions/session-queries.ts'
import { exampleToken, hashToken } from '../sessions/sessions.ts'
import { newPassword, refuseOwnEmail } from '../users/password-fields.ts'
import { hashPassword } from '../users/passwords.ts'
import { setPassword } from '../users/user-queries.ts'
import type { AuthServices } from './reset-mails.ts'
import { findReset, spendReset } from './reset-queries.ts'

export const requestPasswordReset = openEndpoint({
  summary: 'Mails a code for a new password to the user of the e-mail, if there is one',
  description:
    'The answer is the same, and takes as long, whether somebody has the e-mail or not. Nothing is' +
    ' mailed where the service has no mail server (`SMTP_URL`).',
  body: z.object(withExamples({ email: requiredLines('email') }, { email: 'bo@example.com' })),
  status: 204,
  failures: [429],
  async handle({ body, request }, services: AuthServices) {
    const attempt = resetAttempt(body.email, request.clientIp, services.loginRateLimit)
    await countRequest(services, attempt)
    services.resetMails.send(body.email)
  },
})

const body = z.object(
  withExamples(
    { token: requiredText('token'), password: newPassword },
    { token: exampleToken, password: 'eight quiet harbours' },
  ),
)

export const confirmPasswordReset = openEndpoint({
  summary: 'Sets a new password with the code that was mailed, and ends all sessions of the user',
  description: 'A code works once, for 30 minutes. Two-factor stays as it is.',
  body,
  status: 204,
  failures: [503],
  async handle({ body, request }, { db, now, log }) {
    const tokenHash = hashToken(body.token)
    const found = await findReset(db, tokenHash, momentOf(now()))
    if (!found) throw wrongToken()
    const { user_id: userId, email } = found
    refuseOwnEmail(body.password, email)
    const passwordHash = await hashPassword(body.password)
    await db.transaction(async (tx) => {
      if (!(await spendReset(tx, tokenHash))) throw wrongToken()
      const time = momentOf(now())
      await setPassword(tx, userId, { passwordHash, mustChange: false }, time)
      await endSessionsOf(tx, userId, undefined, time)
    })
    const { clientIp } = request
    log.info({ event: 'password_reset', userId, clientIp }, 'security event')
    return undefined
  },
})

function wrongToken() {
  return invalid({ token: ['The token is wrong or too old. Please ask for another one.'] })
}
