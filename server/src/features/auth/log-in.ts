import { z } from 'zod'
import { type HttpError, unauthenticated } from '../../http/errors.ts'
import { requiredText } from '../../http/fields.ts'
import { listOrganizationsOf } from '../organizations/organization-queries.ts'
import { organizationRecord, toOrganizationRecord } from '../organizations/organization-record.ts'
import { openEndpoint, type Services } from '../services.ts'
import {
  countFailure,
  countSuccess,
  findWait,
  type LoginAttempt,
  loginAttempt,
  loginRefused,
} from './login-limits.ts'
import { givenPassword } from './password-fields.ts'
import { isPassword } from './passwords.ts'
import { openSession } from './sessions.ts'
import { findCredentials } from './user-queries.ts'

export const logIn = openEndpoint({
  summary: 'Log in with e-mail and password',
  body: z.object({ email: requiredText('email'), password: givenPassword }),
  answer: z.object({ organizations: z.array(organizationRecord), token: z.string() }),
  failures: [401, 429, 503],
  async handle({ body, request }, services) {
    const { db, now, loginRateLimit } = services
    const attempt = loginAttempt(body.email, request.clientIp, loginRateLimit)
    const userId = await checkPassword(services, attempt, body)
    const wait = await countSuccess(db, attempt, now())
    if (wait !== undefined) throw loginRefused(wait, now(), loginRateLimit)
    const token = await openSession(db, userId, now())
    const organizations = await listOrganizationsOf(db, userId)
    services.log.info({ userId, clientIp: request.clientIp }, 'logged in')
    return { organizations: organizations.map(toOrganizationRecord), token }
  },
})

/**
 * The user's id. An unknown e-mail and a wrong password take the same steps, so that neither text
 * nor time tells them apart.
 */
async function checkPassword(
  services: Services,
  attempt: LoginAttempt,
  given: { email: string; password: string },
): Promise<number> {
  const { db, now, loginRateLimit } = services
  const wait = await findWait(db, attempt, now())
  if (wait !== undefined) throw loginRefused(wait, now(), loginRateLimit)
  const user = await findCredentials(db, given.email)
  const isRight = await isPassword(given.password, user?.password_hash)
  if (user && isRight) return user.id
  throw await failure(services, attempt, user?.id)
}

async function failure(
  { db, now, loginRateLimit, log }: Services,
  attempt: LoginAttempt,
  userId: number | undefined,
): Promise<HttpError> {
  const wait = await countFailure(db, attempt, now())
  log.info(
    { userId, clientIp: attempt.clientIp },
    wait === undefined ? 'login failed' : 'login refused',
  )
  return wait === undefined
    ? unauthenticated('These credentials do not match our records.')
    : loginRefused(wait, now(), loginRateLimit)
}
