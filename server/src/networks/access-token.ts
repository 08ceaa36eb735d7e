import { NetworkError } from './network-error.ts'
import { RefusedCall } from './rest.ts'

export interface AccessToken {
  token: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** The token of an account, fetched when it is first needed and again before it expires. */
export interface TokenCache {
  get(): Promise<string>
  /**
   * Makes a call with the token; once more with a new one when the network does not accept it, as
   * after it was revoked.
   */
  use<Result>(call: () => Promise<Result>): Promise<Result>
}

/** Renewed so long before its end that no call under way sees it expire. */
const marginMs = 60_000
/** Wrong credentials are not sent again for so long: some networks lock who keeps trying. */
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
      // Without a token nothing can be done: whatever is wrong is wrong with the account.
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
