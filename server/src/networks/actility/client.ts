import { grantByCredentials, openTokenClient } from '../access-token.ts'
import { objectOf, objectsOf, textOf } from '../answer-fields.ts'
import type { JsonObject } from '../message-fields.ts'
import type { AccountValues } from '../network.ts'
import type { Outside } from '../outside.ts'
import { readPages } from '../pages.ts'
import {
  allowMissing,
  isRefusal,
  type RefusedCall,
  type RestAnswer,
  type RestCall,
} from '../rest.ts'
import { type ActilityAccount, readAccount } from './account.ts'

/** What every call to one account's ThingPark needs. */
export interface Session {
  account: ActilityAccount
  /** A call of the operations API (`/thingpark/wireless/rest`) in the account's name. */
  call(call: RestCall): Promise<RestAnswer>
  /** A call of the tunnel interface (`/thingpark/lrc/rest`), which is signed and needs no token. */
  tunnel(call: RestCall): Promise<RestAnswer>
  /** The IDs of the account's application servers, once they are known. */
  appServerIds: string[] | undefined
  close(): void
}

const operationsPath = '/thingpark/wireless/rest'
const tunnelPath = '/thingpark/lrc/rest'
/** OpenAPI files of API 7.3, `Subscriber_service_account`. */
const tokenPath = '/users-auth/protocol/openid-connect/token'

export function openSession(values: AccountValues, outside: Outside): Session {
  const account = readAccount(values)
  const { server, clientSecret, asKey } = account
  const client = openTokenClient(
    { name: 'ThingPark', base: server, outside, secrets: [clientSecret, asKey] },
    { ...grantByCredentials(tokenPath, account), isWrongAccount: isWrongClient },
  )
  return {
    account,
    call: (call) => client.call({ ...call, path: operationsPath + call.path }),
    tunnel: (call) => client.callOpenly({ ...call, path: tunnelPath + call.path }),
    appServerIds: undefined,
    close: client.close,
  }
}

/** RFC 6749, section 5.2: wrong credentials are a 400 as often as a 401. */
function isWrongClient({ body }: RefusedCall): boolean {
  return ['invalid_client', 'unauthorized_client', 'invalid_grant'].includes(
    textOf(objectOf(body).error),
  )
}

/** Undefined if ThingPark has no such thing. */
export async function find(session: Session, path: string): Promise<JsonObject | undefined> {
  const answer = await allowMissing(session.call({ method: 'GET', path }))
  return answer && objectOf(answer.body)
}

/** Deleting what is not there succeeds. */
export async function remove(session: Session, path: string): Promise<void> {
  await allowMissing(session.call({ method: 'DELETE', path }))
}

const lockAttempts = 3

/**
 * Sends a change with the version that it was made from (`occContext`), and again with the newer
 * version when another client was faster. The error for that is not documented, so the versions are
 * compared.
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
      if (!isRefusal(error) || attempt === lockAttempts) throw error
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

/**
 * The entries (`briefs`) of a list, page by page: by number, or by the cursor that ThingPark gives
 * for devices sorted by EUI, whose numbered pages it limits.
 */
export function list(session: Session, path: string, query: Record<string, string> = {}) {
  let pageAfter = ''
  return readPages('ThingPark', async (page) => {
    const place = pageAfter ? { pageAfter } : { pageIndex: page }
    const answer = await session.call({ method: 'GET', path, query: { ...query, ...place } })
    const { briefs, more, cursors } = objectOf(answer.body)
    pageAfter = textOf(objectOf(cursors).last)
    return { items: objectsOf(briefs), isLast: more !== true }
  })
}
