import { z } from 'zod'
import { bodyLimits, type Client } from '../../../http/endpoint.ts'
import { type HttpError, notFound, unauthenticated, unavailable } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import type { SessionCookie } from '../../../http/session-cookie.ts'
import { momentOf } from '../../../http/timestamps.ts'
import { type CoreServices, openEndpoint } from '../../core-services.ts'
import { challenge, type Entrant, letIn, makeChallenge } from '../auth/entrance.ts'
import { describeSession, sessionAnswer } from '../auth/session-record.ts'
import { findSession } from '../sessions/authenticate.ts'
import { countRequest } from '../sessions/guesses.ts'
import { stepAttempt } from '../sessions/login-limits.ts'
import { endSessionByToken } from '../sessions/session-queries.ts'
import { hashToken, tokenLifetime } from '../sessions/sessions.ts'
import { findTwoFactorState, isOn } from '../two-factor/two-factor-queries.ts'
import { type Claims, newSecret, type Provider, SignOnError } from './provider.ts'
import { recognize } from './recognize.ts'

export interface SignOnServices extends CoreServices {
  /** Undefined where people log in with passwords only. */
  signOnProvider: Provider | undefined
}

/** Seconds in which a person signs in at the provider. */
const patience = 15 * 60

export const showSignOn = openEndpoint({
  summary: 'Whether people can log in by single sign-on, and what the button is called',
  description: '`name` is null where there is no single sign-on (docs/sign-on.md).',
  answer: z.object({
    data: z
      .object(
        withExamples(
          {
            name: z.string().nullable(),
            is_password_for_owners_only: z.boolean(),
          },
          { name: 'Keycloak', is_password_for_owners_only: false },
        ),
      )
      .meta({ id: 'SignOn' }),
  }),
  async handle(_, services: SignOnServices) {
    return {
      data: {
        name: services.signOnProvider?.settings.name ?? null,
        is_password_for_owners_only: services.isPasswordForOwnersOnly,
      },
    }
  },
})

export const beginSignOn = openEndpoint({
  summary: 'Begins a single sign-on: answers where the browser goes',
  description:
    'A cookie binds the sign-on to this browser for 15 minutes. The provider sends the browser back to `/sign-on` of the console. Needs `X-Requested-With: console`.',
  answer: z.object({
    data: z
      .object(
        withExamples(
          { url: z.string() },
          { url: 'https://login.example.com/authorize?client_id=fleet&state=…' },
        ),
      )
      .meta({ id: 'SignOnStart' }),
  }),
  failures: [401, 404, 429, 503],
  async handle({ request, cookie }, services: SignOnServices) {
    const provider = providerOf(services)
    if (!cookie.isFromConsole) throw unauthenticated()
    await countRequest(services, stepAttempt('sign-on', request.clientIp, services.loginRateLimit))
    const secret = newSecret()
    const url = await ask(services, provider, () => provider.begin(secret))
    cookie.keepSignOn(secret, patience)
    return { data: { url } }
  },
})

/** Codes of some providers have 2,000 characters. */
const queryField = z
  .string('The query field is required.')
  .min(1, 'The query field is required.')
  .max(6000, 'The query may have up to 6000 characters.')

export const finishSignOn = openEndpoint({
  summary: 'Ends a single sign-on: logs the browser in that has begun it',
  description:
    'Asks for the code of a user with two-factor, unless the provider has checked a second factor; `POST /auth/sign-on/code` takes it.',
  bodyLimit: bodyLimits.proof,
  body: z.object(
    withExamples(
      { query: queryField.describe('As it stands in the address of `/sign-on`.') },
      { query: 'code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj' },
    ),
  ),
  answer: z.union([sessionAnswer, challenge]),
  failures: [401, 403, 404, 429, 503],
  async handle({ body, request, cookie }, services: SignOnServices) {
    const provider = providerOf(services)
    const attempt = stepAttempt('sign-on', request.clientIp, services.loginRateLimit)
    await countRequest(services, attempt)
    const secret = cookie.signOn
    if (secret === undefined) throw expired()
    cookie.keepSignOn('', 0)
    const claims = await ask(services, provider, () => provider.finish(secret, body.query))
    const entrant = await findEntrant(services, provider, claims, request)
    const state = await findTwoFactorState(services.db, entrant.user.id)
    if (!claims.hasSecondFactor && isOn(state)) {
      cookie.keepSignOn(sealWaiting(services, entrant.user.id), patience)
      return makeChallenge(services, entrant.user.id, state)
    }
    const token = await letIn(services.db, services, attempt, entrant)
    return openTo(services, cookie, entrant, token)
  },
})

export const endSignOn = openEndpoint({
  summary: 'Log the browser out, also at the provider',
  description:
    'As `DELETE /auth/session`. `url`: where the browser ends its session at the provider; null where the session did not begin by single sign-on, or the provider does not offer that.',
  answer: z.object({
    data: z
      .object(
        withExamples(
          { url: z.string().nullable() },
          { url: 'https://login.example.com/logout?client_id=fleet' },
        ),
      )
      .meta({ id: 'SignOnEnd' }),
  }),
  failures: [401],
  async handle({ cookie, request: { clientIp } }, services: SignOnServices) {
    if (!cookie.isFromConsole) throw unauthenticated()
    cookie.clear()
    const { db, log, now, signOnProvider } = services
    const ended =
      cookie.token !== undefined
        ? await endSessionByToken(db, hashToken(cookie.token), momentOf(now()))
        : undefined
    if (!ended) return { data: { url: null } }
    log.info({ event: 'logged_out', userId: ended.user_id, clientIp }, 'security event')
    const isSignedOn = ended.sign_on_factors !== null
    // The session has ended, whatever the provider says.
    const url = isSignedOn ? await signOnProvider?.findLogout().catch(() => undefined) : undefined
    return { data: { url: url ?? null } }
  },
})

export function providerOf({ signOnProvider }: SignOnServices): Provider {
  if (!signOnProvider) throw notFound('There is no single sign-on.')
  return signOnProvider
}

export function expired(): HttpError {
  return unauthenticated('The sign-in has taken too long, or began elsewhere. Please begin again.')
}

/** @throws HttpError 503 when the provider cannot be used, 401 when the sign-in is not valid. */
async function ask<T>(
  { log }: SignOnServices,
  { settings: { name, groupsClaim } }: Provider,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof SignOnError)) throw error
    log.warn({ reason: error.message }, 'single sign-on failed')
    if (error.kind === 'unreachable') {
      throw unavailable(30, `${name} does not answer properly. Please try again later.`)
    }
    if (error.kind === 'too many groups') {
      const advice = `Ask an administrator to send fewer ${groupsClaim}.`
      throw unauthenticated(
        `${name} does not name your groups, because there are too many. ${advice}`,
      )
    }
    throw unauthenticated(`${name} has not confirmed the sign-in. Please begin again.`)
  }
}

/** @throws HttpError 401, the same for all strangers: nobody learns which e-mails are known. */
async function findEntrant(
  services: SignOnServices,
  { settings }: Provider,
  claims: Claims,
  { clientIp, userAgent }: Client,
): Promise<Entrant> {
  const client = { clientIp, userAgent }
  const user = await recognize(services, settings, claims, client)
  if (typeof user !== 'string') {
    return { user, client, signOnFactors: claims.hasSecondFactor ? 2 : 1 }
  }
  services.log.info({ reason: user, clientIp }, 'single sign-on of a stranger')
  throw unauthenticated(
    `There is no login here for your account at ${settings.name}. Ask an administrator for an invitation to your e-mail address, and make sure that ${settings.name} has verified it.`,
  )
}

/** Opens the console to the browser: with a token of its own, never one that it held before. */
export async function openTo(
  services: SignOnServices,
  cookie: SessionCookie,
  { user, client: { clientIp } }: Entrant,
  token: string,
): Promise<z.infer<typeof sessionAnswer>> {
  const { db, log, now } = services
  log.info({ event: 'signed_on', userId: user.id, clientIp }, 'security event')
  const session = await findSession(services, token, false)
  if (!session) throw unauthenticated()
  if (cookie.token !== undefined) {
    await endSessionByToken(db, hashToken(cookie.token), momentOf(now()))
  }
  cookie.keep(token, tokenLifetime)
  return describeSession(services, session)
}

const waitingContext = 'sign-on:waiting'

/** What the browser keeps of a user who has signed in at the provider and owes a code. */
function sealWaiting({ sealer, now }: SignOnServices, userId: number): string {
  const until = now().getTime() + patience * 1000
  return sealer.seal(JSON.stringify({ userId, until }), waitingContext).toString('base64url')
}

/** The user who owes a code; undefined when the cookie is none of these, or too old. */
export function openWaiting(
  { sealer, now }: SignOnServices,
  cookie: SessionCookie,
): number | undefined {
  try {
    const text = sealer.open(Buffer.from(cookie.signOn ?? '', 'base64url'), waitingContext)
    const { userId, until } = JSON.parse(text) as { userId: number; until: number }
    return until > now().getTime() ? userId : undefined
  } catch {
    return undefined
  }
}
