import { z } from 'zod'
import { invalid } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { requiredText } from '../../http/fields.ts'
import { momentOf } from '../../http/timestamps.ts'
import { openEndpoint } from '../core-services.ts'
import { endSessionsOf } from '../sessions/session-queries.ts'
import { exampleToken, hashToken } from '../sessions/sessions.ts'
import { newPassword, refuseOwnEmail } from '../users/password-fields.ts'
import { hashPassword } from '../users/passwords.ts'
import { setPassword } from '../users/user-queries.ts'
import { findReset, spendReset } from './reset-queries.ts'

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
