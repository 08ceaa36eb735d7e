import { openTokenClient } from '../access-token.ts'
import { objectOf, objectsOf, textOf } from '../answer-fields.ts'
import type { JsonObject } from '../message-fields.ts'
import type { AccountValues } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import type { Outside } from '../outside.ts'
import { readPages } from '../pages.ts'
import { allowMissing, RefusedCall, type RestAnswer, type RestCall } from '../rest.ts'
import { type KerlinkAccount, readAccount } from './account.ts'

/** What every call to one account's Wanesy needs. */
export interface Session {
  account: KerlinkAccount
  /** A call of the GMS REST API in the account's name. */
  call(call: RestCall): Promise<RestAnswer>
  close(): void
}

const hourMs = 3_600_000

export function openSession(values: AccountValues, outside: Outside): Session {
  const account = readAccount(values)
  const { base, login, password } = account
  const client = openTokenClient(
    { name: 'Wanesy', base, outside, secrets: [password], explain },
    {
      request: { method: 'POST', path: '/login', body: { login, password } },
      read: ({ token, expiredDate }, now) => ({
        token: textOf(token),
        expiresAt: Number(expiredDate) || now + hourMs,
      }),
    },
  )
  return { account, call: client.call, close: client.close }
}

/** ErrorDto: the words of the error and of the errors in it. */
function explain(body: unknown): string | undefined {
  const { message, code, errors } = objectOf(body)
  const own = textOf(message) || textOf(code)
  const words = [own, ...objectsOf(errors).map((error) => textOf(error.message))]
  return words.filter(Boolean).join(' ') || undefined
}

/**
 * The API documents no more than "4xx". The code of an error with another status says what is
 * missing.
 */
function isMissing(error: unknown): boolean {
  if (!(error instanceof RefusedCall)) return false
  const { code } = objectOf(error.body)
  return error.status === 404 || /NOT_?FOUND|UNKNOWN/i.test(textOf(code))
}

/** Undefined if Wanesy has no such thing, or hides it from this user. */
export async function find(session: Session, path: string): Promise<JsonObject | undefined> {
  const answer = await allowMissing(session.call({ method: 'GET', path }), isMissing)
  return answer && objectOf(answer.body)
}

/** Deleting what is not there succeeds. */
export async function remove(session: Session, path: string): Promise<void> {
  await allowMissing(session.call({ method: 'DELETE', path }), isMissing)
}

const pageSize = 100
/** The elements of a list, page by page (PaginatedDto); with `match`, those that match. */
export function list(
  session: Session,
  path: string,
  match?: { operand: string; value: string | number },
): AsyncGenerator<JsonObject[]> {
  // The form of a search is not in the OpenAPI file; this one is that of Wanesy's own pages.
  const search = match && {
    search: JSON.stringify({ operand: match.operand, operation: 'EQ', values: [match.value] }),
  }
  return readPages('Wanesy', async (page) => {
    const query = { page, pageSize, ...search }
    const answer = objectOf((await session.call({ method: 'GET', path, query })).body)
    return { items: objectsOf(answer.list), isLast: page >= Number(answer.nbPages ?? 1) }
  })
}

/** The id of a linked thing, given as an object or as an address (`/application/clusters/1`). */
export function linkedId(thing: JsonObject, name: string): number | undefined {
  const { id } = objectOf(thing[name])
  const link = objectsOf(thing.links).find(({ rel }) => rel === name)
  const last = textOf(id) || textOf(link?.href).split('/').at(-1)
  return last && /^\d+$/.test(last) ? Number(last) : undefined
}

/** The id of what was created: the end of its address. `what` names it in the error. */
export function createdId({ headers }: RestAnswer, what: string): string {
  const { location } = headers
  const address = Array.isArray(location) ? location[0] : location
  const id = address?.split('?', 1)[0]?.split('/').at(-1)
  if (id) return id
  throw new NetworkError('unreachable', `Wanesy did not say where ${what} is.`)
}
