import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import type { Client } from '../../../http/endpoint.ts'
import { invalid, unauthenticated } from '../../../http/errors.ts'
import { requiredLines } from '../../../http/fields.ts'
import type { CoreServices } from '../../core-services.ts'
import { isOwner } from '../organizations/member-queries.ts'
import { countRightGuess, countWrongGuess, refuseWhileWaiting } from '../sessions/guesses.ts'
import { codeAttempt, type LoginAttempt, loginAttempt } from '../sessions/login-limits.ts'
import type { SignOnFactors } from '../sessions/session-queries.ts'
import { openSession } from '../sessions/sessions.ts'
import { offerPasskeys, passkeyOffer } from '../two-factor/passkey-login.ts'
import {
  isSecondFactor,
  readSecondFactor,
  type SecondFactor,
  secondFactorFields,
  withSecondFactorChecks,
  wrongSecondFactor,
} from '../two-factor/second-factor.ts'
import { findTwoFactorState, isOn, type TwoFactorState } from '../two-factor/two-factor-queries.ts'
import { givenPassword } from '../users/password-fields.ts'
import { isPassword } from '../users/passwords.ts'
import { type Credentials, findCredentials } from '../users/user-queries.ts'

/** What both ways to log in have in common: a token, or the cookie of a browser. */

export const loginBody = withSecondFactorChecks(
  z.object({ email: requiredLines('email'), password: givenPassword, ...secondFactorFields }),
)

const credentials = { email: 'bo@example.com', password: 'seven green lanterns' }

export const loginExamples = [
  { name: 'password', body: credentials },
  {
    name: 'authenticator',
    body: { ...credentials, verify_2fa: 'yes', authentication_code: '123456' },
  },
  {
    name: 'recovery code',
    body: { ...credentials, verify_2fa: 'no', recovery_code: 'MFRG-GZDF-MZTW-Q2LK-NR2W-4ZJ5' },
  },
]

const codeNeeded =
  '2 factor authentication has been enabled in your account. Please enter 2FA code.'

/** The answer to a right password of a user with two-factor. */
export const challenge = z
  .object({
    status: z.literal(false),
    mfa: z.literal(true),
    auth_type: z.literal('authenticator'),
    message: z.literal(codeNeeded),
    passkeys: passkeyOffer.optional().describe('Only of a user who has passkeys.'),
  })
  .meta({ title: 'code needed' })

/** Asks for the second factor of a user who has one. */
export function makeChallenge(
  services: CoreServices,
  userId: number,
  state: TwoFactorState,
): z.infer<typeof challenge> {
  const passkeys = offerPasskeys(services, userId, state)
  const auth_type = 'authenticator'
  return { status: false, mfa: true, auth_type, message: codeNeeded, ...(passkeys && { passkeys }) }
}

/** A user who has given the right password, or has signed on, and the client. */
export interface Entrant {
  user: Credentials
  client: Client
  signOnFactors?: SignOnFactors
}

type Entry =
  | { isIn: true; token: string; user: Credentials }
  | { isIn: false; challenge: z.infer<typeof challenge> }

/** Opens a session for right credentials, or asks for the code. */
export async function enter(
  services: CoreServices,
  body: z.infer<typeof loginBody>,
  { clientIp, userAgent }: Client,
): Promise<Entry> {
  const { db, log, loginRateLimit } = services
  const attempt = loginAttempt(body.email, clientIp, loginRateLimit)
  const user = await checkPassword(services, attempt, body)
  if (services.isPasswordForOwnersOnly && !(await isOwner(db, user.id))) {
    throw unauthenticated('Please log in with single sign-on. Your password is not accepted here.')
  }
  const entrant = { user, client: { clientIp, userAgent } }
  const state = await findTwoFactorState(db, user.id)
  const factor = isOn(state) ? readSecondFactor(body) : 'not needed'
  if (factor === undefined) {
    // The password failures stay: this is no success yet, and it is not told while the attempt has to wait.
    await refuseWhileWaiting(services, attempt)
    return { isIn: false, challenge: makeChallenge(services, user.id, state) }
  }
  const token =
    factor === 'not needed'
      ? await letIn(db, services, attempt, entrant)
      : await checkSecondFactor(services, attempt, entrant, factor)
  log.info({ event: 'logged_in', userId: user.id, clientIp }, 'security event')
  return { isIn: true, token, user }
}

/**
 * The user with this e-mail and password. An unknown e-mail and a wrong password take the same
 * steps, so neither text nor time tells them apart.
 */
async function checkPassword(
  services: CoreServices,
  attempt: LoginAttempt,
  given: { email: string; password: string },
): Promise<Credentials> {
  await refuseWhileWaiting(services, attempt)
  const user = await findCredentials(services.db, given.email)
  const isRight = await isPassword(given.password, user?.password_hash)
  if (user && isRight) return user
  throw await countWrongGuess(services, attempt, user?.id, wrongCredentials())
}

/** The new token. The code counts as used only if the login succeeds. */
export async function checkSecondFactor(
  services: CoreServices,
  passwordAttempt: LoginAttempt,
  entrant: Entrant,
  factor: SecondFactor,
): Promise<string> {
  const { db, loginRateLimit } = services
  const userId = entrant.user.id
  const attempt =
    factor.kind === 'recovery'
      ? passwordAttempt
      : codeAttempt(passwordAttempt, userId, loginRateLimit)
  await refuseWhileWaiting(services, attempt)
  const token = await db.transaction(async (tx) =>
    (await isSecondFactor(tx, services, userId, factor))
      ? letIn(tx, services, attempt, entrant)
      : undefined,
  )
  if (token !== undefined) return token
  throw await countWrongGuess(services, attempt, userId, invalid(wrongSecondFactor(factor)))
}

/** @throws HttpError 401 when the password has changed since it was checked. */
export async function letIn(
  db: Queryable,
  services: CoreServices,
  attempt: LoginAttempt,
  { user, client, signOnFactors }: Entrant,
): Promise<string> {
  await countRightGuess(db, services, attempt)
  const token = await openSession(db, user, client, services.now(), signOnFactors)
  if (token === undefined) throw wrongCredentials()
  return token
}

function wrongCredentials() {
  return unauthenticated('These credentials do not match our records.')
}
