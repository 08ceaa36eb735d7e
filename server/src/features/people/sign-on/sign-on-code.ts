import { z } from 'zod'
import { bodyLimits } from '../../../http/endpoint.ts'
import { invalid } from '../../../http/errors.ts'
import { openEndpoint } from '../../core-services.ts'
import { checkSecondFactor } from '../auth/entrance.ts'
import { sessionAnswer } from '../auth/session-record.ts'
import { loginAttempt } from '../sessions/login-limits.ts'
import {
  readSecondFactor,
  secondFactorFields,
  withSecondFactorChecks,
} from '../two-factor/second-factor.ts'
import { findUser } from '../users/user-queries.ts'
import { expired, openTo, openWaiting, providerOf, type SignOnServices } from './sign-on.ts'

export const giveSignOnCode = openEndpoint({
  summary: 'The second factor of a single sign-on that asks for one',
  description: 'Takes the fields of a login, without e-mail and password.',
  bodyLimit: bodyLimits.proof,
  body: withSecondFactorChecks(z.object(secondFactorFields)),
  examples: [
    { name: 'authenticator', body: { verify_2fa: 'yes', authentication_code: '123456' } },
    {
      name: 'recovery code',
      body: { verify_2fa: 'no', recovery_code: 'MFRG-GZDF-MZTW-Q2LK-NR2W-4ZJ5' },
    },
  ],
  answer: sessionAnswer,
  failures: [401, 404, 429],
  async handle({ body, request: { clientIp, userAgent }, cookie }, services: SignOnServices) {
    providerOf(services)
    const userId = openWaiting(services, cookie)
    const user = userId === undefined ? undefined : await findUser(services.db, userId)
    if (!user) throw expired()
    const factor = readSecondFactor(body)
    if (!factor) {
      throw invalid({ authentication_code: ['The authentication code field is required.'] })
    }
    const attempt = loginAttempt(user.email, clientIp, services.loginRateLimit)
    const entrant = { user, client: { clientIp, userAgent }, signOnFactors: 1 as const }
    const token = await checkSecondFactor(services, attempt, entrant, factor)
    cookie.keepSignOn('', 0)
    return openTo(services, cookie, entrant, token)
  },
})
