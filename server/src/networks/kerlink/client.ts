import { createTokenCache } from '../access-token.ts'
import { objectOf, objectsOf, textOf } from '../answer-fields.ts'
import type { JsonObject } from '../message-fields.ts'
import { NetworkError } from '../network.ts'
import type { Outside } from '../outside.ts'
import { openRest, RefusedCall, type RestAnswer, type RestCall } from '../rest.ts'
import type { KerlinkAccount } from './account.ts'

/** What every call to one account's Wanesy needs. */
export interface Session {
  account: KerlinkAccount
  /** A call of the GMS REST API in the account's name. */
  call(call: RestCall): Promise<RestAnswer>
  close(): void
}

export function openSession(account: KerlinkAccount, outside: Outside): Session {
  const secrets = [account.password]
  const common = { name: 'Wanesy', base: account.base, outside, secrets, explain }
  const open = openRest(common)
  const { login, password } = account
  const logIn = () =>
    open.call({ method: 'POST', path: '/login', body: { login, password } }).catch((error) => {
      // Whatever is wrong with these two, it is the account that Wanesy does not take.
      const isRefused = error instanceof RefusedCall && error.kind === 'refused'
      throw isRefused ? new NetworkError('unauthorized', error.message) : error
    })
  const tokens = createTokenCache(async () => {
    const { token: given, expiredDate } = objectOf((await logIn()).body)
    const token = textOf(given)
    if (!token) throw new NetworkError('unreachable', 'Wanesy answered without a token.')
    // The latest is enough: an older one is worth nothing any more.
    secrets[1] = token
    const hour = 3_600_000
    return { token, expiresAt: Number(expiredDate) || Date.now() + hour }
  })
  const authorized = openRest({
    ...common,
    headers: async () => ({ authorization: `Bearer ${await tokens.get()}` }),
  })
  return {
    account,
    call: (call) => tokens.use(() => authorized.call(call)),
    close: () => {
      open.close()
      authorized.close()
    },
  }
}

/** ErrorDto: the words of the error and of those that it is made of. */
function explain(body: unknown): string | undefined {
  const { message, code, errors } = objectOf(body)
  const own = textOf(message) || textOf(code)
  const words = [own, ...objectsOf(errors).map((error) => textOf(error.message))]
  return words.filter(Boolean).join(' ') || undefined
}

/** The API documents no more than "4xx": an error of another status names what it is in its code. */
export function isMissing(error: unknown): boolean {
  if (!(error instanceof RefusedCall)) return false
  const { code } = objectOf(error.body)
  return error.status === 404 || /NOT_?FOUND|UNKNOWN/i.test(textOf(code))
}

/** Undefined where Wanesy has no such thing, or not for this user. */
export async function find(session: Session, path: string): Promise<JsonObject | undefined> {
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

const pageSize = 100
const mostPages = 1000

/** The elements of a list, page by page (PaginatedDto), those that match where that is given. */
export async function* list(
  session: Session,
  path: string,
  match?: { operand: string; value: string | number },
): AsyncGenerator<JsonObject[]> {
  // The form of a search is not in the OpenAPI file; this one is that of Wanesy's own pages.
  const search = match && {
    search: JSON.stringify({ operand: match.operand, operation: 'EQ', values: [match.value] }),
  }
  for (let page = 1; page <= mostPages; page += 1) {
    const query = { page, pageSize, ...search }
    const answer = objectOf((await session.call({ method: 'GET', path, query })).body)
    yield objectsOf(answer.list)
    if (page >= Number(answer.nbPages ?? 1)) return
  }
  throw new NetworkError('unreachable', 'Wanesy does not stop giving pages.')
}

/** The id of something linked: as an object, or by its address (`/application/clusters/1`). */
export function linkedId(thing: JsonObject, name: string): number | undefined {
  const { id } = objectOf(thing[name])
  const link = objectsOf(thing.links).find(({ rel }) => rel === name)
  const last = textOf(id) || textOf(link?.href).split('/').at(-1)
  return last && /^\d+$/.test(last) ? Number(last) : undefined
}

/** Of what was created: the end of its address. `what` is for the error where there is none. */
export function createdId({ headers }: RestAnswer, what: string): string {
  const { location } = headers
  const address = Array.isArray(location) ? location[0] : location
  const id = address?.split('?', 1)[0]?.split('/').at(-1)
  if (id) return id
  throw new NetworkError('unreachable', `Wanesy did not say where ${what} is.`)
}
