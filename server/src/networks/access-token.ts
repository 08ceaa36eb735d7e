import { objectOf, textOf } from './answer-fields.ts'
import type { JsonObject } from './message-fields.ts'
import { NetworkError } from './network-error.ts'
import {
  isRefusal,
  openRest,
  RefusedCall,
  type RestAnswer,
  type RestCall,
  type RestOptions,
} from './rest.ts'

interface AccessToken {
  token: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** How a network gives access tokens. */
interface TokenGrant {
  /** The call that gives a token. */
  request: RestCall
  /** The address of that call if it is another one. */
  base?: string
  read(body: JsonObject, now: number): AccessToken
  /** Whether an error says that the credentials are wrong: every refusal by default. */
  isWrongAccount?(error: RefusedCall): boolean
}

interface TokenClient {
  /** Makes a call with the account's token. */
  call(call: RestCall): Promise<RestAnswer>
  /** Makes a call without a token. */
  callOpenly(call: RestCall): Promise<RestAnswer>
  close(): void
}

/** A client whose calls carry an access token, which it fetches and renews. */
export function openTokenClient(
  options: RestOptions,
  grant: TokenGrant,
  now: () => number = Date.now,
): TokenClient {
  // Keeps the latest token: an older one is worth nothing any more.
  const secrets = [...options.secrets]
  const open = openRest({ ...options, base: grant.base ?? options.base, secrets })
  const fetchToken = async () => {
    const { body } = await open.call(grant.request).catch((error) => {
      if (!isWrong(error, grant)) throw error
      throw new NetworkError('unauthorized', error.message, { about: 'account' })
    })
    const given = grant.read(objectOf(body), now())
    if (given.token) secrets[options.secrets.length] = given.token
    else throw new NetworkError('unreachable', `${options.name} answered without a token.`)
    return given
  }
  const tokens = createTokenCache(fetchToken, now)
  const authorized = openRest({
    ...options,
    secrets,
    headers: async () => ({ authorization: `Bearer ${await tokens.get()}` }),
  })
  return {
    call: (call) => tokens.use(() => authorized.call(call)),
    callOpenly: open.call,
    close: () => {
      open.close()
      authorized.close()
    },
  }
}

function isWrong(error: unknown, { isWrongAccount = isRefusal }: TokenGrant): error is RefusedCall {
  return error instanceof RefusedCall && isWrongAccount(error)
}

/** The client credentials grant of OAuth 2.0, RFC 6749, section 4.4. */
export function grantByCredentials(
  path: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
): TokenGrant {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  })
  return {
    request: { method: 'POST', path, body },
    read({ access_token, expires_in }, now) {
      const seconds = Number(expires_in)
      return { token: textOf(access_token), expiresAt: now + (seconds > 0 ? seconds : 300) * 1000 }
    },
  }
}

/** The token of an account, fetched when it is first needed and again before it expires. */
interface TokenCache {
  get(): Promise<string>
  /**
   * Makes a call with the token; once more with a new token when the network does not accept it,
   * as after it was revoked.
   */
  use<Result>(call: () => Promise<Result>): Promise<Result>
}

/** A token is renewed this long before its end, so that it does not expire during a call. */
const marginMs = 60_000
/**
 * Wrong credentials are not sent again for this long: some networks lock an account that retries.
 */
const refusalMs = 60_000

export function createTokenCache(
  fetchToken: () => Promise<AccessToken>,
  now: () => number = Date.now,
): TokenCache {
  let known: AccessToken | undefined
  let fetching: Promise<AccessToken> | undefined
  let refusal: { error: NetworkError; until: number } | undefined

  const fetchOnce = async () => {
    try {
      return await fetchToken()
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error
      // Without a token no call works: whatever is wrong is wrong with the account.
      error.about = 'account'
      if (error.kind === 'unauthorized') refusal = { error, until: now() + refusalMs }
      throw error
    } finally {
      fetching = undefined
    }
  }
  const renew = async () => {
    if (refusal && refusal.until > now()) throw refusal.error
    fetching ??= fetchOnce()
    return fetching
  }
  const isFresh = ({ expiresAt }: AccessToken) => expiresAt - marginMs > now()
  const get = async () => {
    if (!known || !isFresh(known)) known = await renew()
    return known.token
  }
  return {
    get,
    async use(call) {
      const before = known
      try {
        return await call()
      } catch (error) {
        const isTurnedAway = error instanceof RefusedCall && error.status === 401
        if (!isTurnedAway || before === undefined) throw error
        if (known === before) known = undefined
        return call()
      }
    },
  }
}
