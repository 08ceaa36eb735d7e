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

export function createTokenCache(
  fetchToken: () => Promise<AccessToken>,
  now: () => number = Date.now,
): TokenCache {
  let known: AccessToken | undefined
  let fetching: Promise<AccessToken> | undefined

  const renew = () => {
    fetching ??= fetchToken().finally(() => {
      fetching = undefined
    })
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
