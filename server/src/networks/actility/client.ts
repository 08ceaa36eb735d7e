import { createTokenCache } from '../access-token.ts'
import { objectOf, objectsOf, textOf } from '../answer-fields.ts'
import { NetworkError } from '../network.ts'
import type { Outside } from '../outside.ts'
import { openRest, RefusedCall, type RestAnswer, type RestCall } from '../rest.ts'
import type { ActilityAccount } from './account.ts'

/** What every call to one account's ThingPark needs. */
export interface Session {
  account: ActilityAccount
  /** A call of the operations API (`/thingpark/wireless/rest`) in the account's name. */
  call(call: RestCall): Promise<RestAnswer>
  /** A call of the tunnel interface (`/thingpark/lrc/rest`), which is signed and needs no token. */
  tunnel(call: RestCall): Promise<RestAnswer>
  /** IDs of the account's application servers, once found. */
  appServerIds: string[] | undefined
  close(): void
}

const operationsPath = '/thingpark/wireless/rest'
const tunnelPath = '/thingpark/lrc/rest'
/** OpenAPI files of API 7.3, `Subscriber_service_account`. */
const tokenPath = '/users-auth/protocol/openid-connect/token'

export function openSession(account: ActilityAccount, outside: Outside): Session {
  const secrets = [account.clientSecret, account.asKey]
  const common = { name: 'ThingPark', base: account.server, outside, secrets }
  const open = openRest(common)
  const tokens = createTokenCache(async () => {
    const body = objectOf((await fetchToken()).body)
    const token = textOf(body.access_token)
    if (!token) throw new NetworkError('unreachable', 'ThingPark answered without a token.')
    // The latest is enough: an older one is worth nothing any more.
    secrets[2] = token
    const seconds = Number(body.expires_in)
    return { token, expiresAt: Date.now() + (Number.isFinite(seconds) ? seconds : 300) * 1000 }
  })
  const fetchToken = () =>
    open
      .call({
        method: 'POST',
        path: tokenPath,
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: account.clientId,
          client_secret: account.clientSecret,
        }),
      })
      .catch((error) => {
        throw isWrongClient(error) ? new NetworkError('unauthorized', error.message) : error
      })
  const authorized = openRest({
    ...common,
    headers: async () => ({ authorization: `Bearer ${await tokens.get()}` }),
  })
  return {
    account,
    call: (call) =>
      tokens.use(() => authorized.call({ ...call, path: operationsPath + call.path })),
    tunnel: (call) => open.call({ ...call, path: tunnelPath + call.path }),
    appServerIds: undefined,
    close: () => {
      open.close()
      authorized.close()
    },
  }
}

/** RFC 6749, section 5.2: wrong credentials are a 400 as often as a 401. */
function isWrongClient(error: unknown): error is RefusedCall {
  if (!(error instanceof RefusedCall)) return false
  return ['invalid_client', 'unauthorized_client', 'invalid_grant'].includes(
    textOf(objectOf(error.body).error),
  )
}

export function isMissing(error: unknown): boolean {
  return error instanceof RefusedCall && error.status === 404
}

/** Undefined where ThingPark has no such thing. */
export async function find(session: Session, path: string) {
  try {
    return objectOf((await session.call({ method: 'GET', path })).body)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Deleting what is not there succeeds. */
export async function remove(session: Session, path: string): Promise<void> {
  try {
    await session.call({ method: 'DELETE', path })
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

const lockAttempts = 3

/**
 * Sends a change together with the version that it was made from (`occContext`), and again with a
 * newer one when somebody else was faster. Which error says so is not documented: whether the
 * version has changed does.
 */
export async function change(
  session: Session,
  call: { method: 'PUT' | 'POST'; path: string; of: string },
  body: object,
): Promise<void> {
  const { method, path, of } = call
  let version = await readVersion(session, of)
  for (let attempt = 1; ; attempt += 1) {
    try {
      await session.call({ method, path, body: { ...body, occContext: { version } } })
      return
    } catch (error) {
      const isRefused = error instanceof RefusedCall && error.kind === 'refused'
      if (!isRefused || attempt === lockAttempts) throw error
      const now = await readVersion(session, of)
      if (now === version) throw error
      version = now
    }
  }
}

async function readVersion(session: Session, path: string): Promise<number> {
  const thing = await find(session, path)
  return Number(objectOf(thing?.occContext).version ?? 0)
}

const mostPages = 1000

/**
 * The entries (`briefs`) of a list, page by page: by number, or by the cursor that ThingPark gives
 * for devices sorted by EUI, of which it limits the number of pages.
 */
export async function* list(session: Session, path: string, query: Record<string, string> = {}) {
  let place: Record<string, string | number> = { pageIndex: 1 }
  for (let page = 1; page <= mostPages; page += 1) {
    const answer = await session.call({ method: 'GET', path, query: { ...query, ...place } })
    const { briefs, more, cursors } = objectOf(answer.body)
    yield objectsOf(briefs)
    if (more !== true) return
    const pageAfter = textOf(objectOf(cursors).last)
    place = pageAfter ? { pageAfter } : { pageIndex: page + 1 }
  }
  throw new NetworkError('unreachable', 'ThingPark does not stop giving pages.')
}
