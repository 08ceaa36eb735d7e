import { createHmac, randomBytes } from 'node:crypto'
import * as oidc from 'openid-client'
import { Agent, fetch } from 'undici'
import type { Outside } from '../../../networks/outside.ts'
import type { SignOnSettings } from './sign-on-settings.ts'

/** What the provider says about the person who has signed in. */
export interface Claims {
  issuer: string
  subject: string
  /** Undefined unless the provider has verified it. */
  verifiedEmail: string | undefined
  firstName: string
  lastName: string
  groups: readonly string[]
  /** Whether the provider has checked a second factor. */
  hasSecondFactor: boolean
}

/** Why a sign-in fails: the provider cannot be used now, or it or the browser has sent what is wrong. */
export class SignOnError extends Error {
  readonly kind: 'unreachable' | 'refused' | 'too many groups'

  constructor(kind: SignOnError['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

export interface Provider {
  settings: SignOnSettings
  /** Where the browser goes. All checks of the answer follow from `secret`. */
  begin(secret: string): Promise<string>
  /** The person, from the query with which the browser comes back. Throws `SignOnError`. */
  finish(secret: string, query: string): Promise<Claims>
  /** Where the browser ends the session at the provider; undefined where it does not offer that. */
  findLogout(): Promise<string | undefined>
  close(): Promise<void>
}

/** Of each request, in seconds. */
const timeout = 5
/** How long what the provider says about itself is kept. Its keys are kept by the library. */
const freshMilliseconds = 3600_000
const longestAnswer = 1024 * 1024

export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function createProvider(
  settings: SignOnSettings,
  { outside, publicUrl }: { outside: Outside; publicUrl: string },
): Provider {
  const agent = new Agent({
    connect: { lookup: outside.lookup, timeout: timeout * 1000 },
    maxResponseSize: longestAnswer,
  })
  const redirectUri = `${publicUrl}/sign-on`
  const find = keepFresh(() => discover(settings, outside, agent))
  return {
    settings,
    async begin(secret) {
      const config = await find()
      const challenge = await oidc.calculatePKCECodeChallenge(derive(secret, 'verifier'))
      return oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state: derive(secret, 'state'),
        nonce: derive(secret, 'nonce'),
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }).href
    },
    async finish(secret, query) {
      const config = await find()
      try {
        const tokens = await oidc.authorizationCodeGrant(
          config,
          new URL(`${redirectUri}?${query}`),
          {
            expectedState: derive(secret, 'state'),
            expectedNonce: derive(secret, 'nonce'),
            pkceCodeVerifier: derive(secret, 'verifier'),
            idTokenExpected: true,
          },
        )
        const claims = tokens.claims()
        if (!claims) throw new Error('there is no ID token')
        const hasInfo = config.serverMetadata().userinfo_endpoint !== undefined
        const info = hasInfo
          ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)
          : undefined
        return readClaims({ ...info, ...claims }, settings)
      } catch (error) {
        throw asSignOnError(error)
      }
    },
    async findLogout() {
      const config = await find()
      if (!config.serverMetadata().end_session_endpoint) return undefined
      return oidc.buildEndSessionUrl(config, {
        post_logout_redirect_uri: `${publicUrl}/login`,
      }).href
    },
    close: () => agent.destroy(),
  }
}

/** State, nonce and verifier of a sign-in, all from the one secret that its browser holds. */
function derive(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(purpose).digest('base64url')
}

async function discover(
  { issuer, clientId, clientSecret }: SignOnSettings,
  outside: Outside,
  agent: Agent,
): Promise<oidc.Configuration> {
  const guarded: oidc.CustomFetch = async (url, options) => {
    outside.check(new URL(url))
    // The types of undici and of Node differ in details that the library does not use.
    return fetch(url, { ...options, dispatcher: agent } as never) as never
  }
  try {
    return await oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      [oidc.customFetch]: guarded,
      timeout,
      // `outside` decides which addresses may be called without TLS.
      execute: [oidc.enableNonRepudiationChecks, oidc.allowInsecureRequests],
    })
  } catch (error) {
    throw asSignOnError(error, 'unreachable')
  }
}

/** A value that is found again after a time; not kept where that fails. */
function keepFresh<T>(find: () => Promise<T>): () => Promise<T> {
  let kept: { found: Promise<T>; until: number } | undefined
  return () => {
    if (kept && performance.now() < kept.until) return kept.found
    const found = find()
    kept = { found, until: performance.now() + freshMilliseconds }
    found.catch(() => {
      if (kept?.found === found) kept = undefined
    })
    return found
  }
}

function readClaims(claims: Record<string, unknown>, settings: SignOnSettings): Claims {
  const { groupsClaim, secondFactors } = settings
  if (isElsewhere(claims, groupsClaim)) {
    throw new SignOnError('too many groups', `${groupsClaim} is not in the token`)
  }
  const email = textOf(claims.email)
  // `xms_edov` is Entra ID's: the domain of the address is the organization's own.
  const isVerified = isTrue(claims.email_verified) || isTrue(claims.xms_edov)
  const [first = '', ...rest] = textOf(claims.name).split(' ')
  const factors = [...listOf(claims.amr), textOf(claims.acr)]
  return {
    issuer: textOf(claims.iss),
    subject: textOf(claims.sub),
    verifiedEmail: isVerified && email !== '' ? email : undefined,
    firstName: textOf(claims.given_name) || first,
    lastName: textOf(claims.family_name) || rest.join(' '),
    groups: listOf(claims[groupsClaim]),
    hasSecondFactor: factors.some((factor) => secondFactors.includes(factor)),
  }
}

/** Entra ID leaves the groups out of the token where a user has too many. */
function isElsewhere(claims: Record<string, unknown>, claim: string): boolean {
  const names = claims._claim_names
  return typeof names === 'object' && names !== null && claim in names
}

const longestText = 255
const mostGroups = 10_000

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll('\u0000', '').slice(0, longestText) : ''
}

function listOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value]
  return list.slice(0, mostGroups).filter((entry) => typeof entry === 'string')
}

/** Some providers write claims as text or as a number. */
function isTrue(value: unknown): boolean {
  return value === true || value === 'true' || value === 1 || value === '1'
}

const networkFailures = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM'])

function asSignOnError(error: unknown, kind: SignOnError['kind'] = 'refused'): SignOnError {
  if (error instanceof SignOnError) return error
  const { code, message, name } = error as { code?: string; message?: string; name?: string }
  const isNetwork =
    networkFailures.has(code ?? '') || error instanceof TypeError || name === 'TimeoutError'
  return new SignOnError(isNetwork ? 'unreachable' : kind, reasonOf(error, message), error)
}

/** For the log: what the library and the provider say, without tokens. */
function reasonOf(error: unknown, message = 'unknown'): string {
  const said = error instanceof oidc.ResponseBodyError ? ` (${error.error})` : ''
  const cause = (error as { cause?: { message?: unknown } }).cause?.message
  const why = typeof cause === 'string' ? `: ${cause}` : ''
  return `${message}${said}${why}`.slice(0, 300)
}
