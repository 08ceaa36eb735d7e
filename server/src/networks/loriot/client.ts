// What the calls of LORIOT's API have in common. Paths and bodies are those of the Public NWK REST
// API 5.0. It lists 400, 401 and 403 for refusals, but neither their bodies nor the answer for an
// id that does not exist: every guess about these is checked by another call.
import { isApiAddress } from '../account-fields.ts'
import { objectsOf } from '../answer-fields.ts'
import { isObject, type JsonObject } from '../message-fields.ts'
import type { AccountValues, ConnectionOptions } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import type { Outside } from '../outside.ts'
import { readPages } from '../pages.ts'
import { openRest, RefusedCall, type RestCall, type RestClient } from '../rest.ts'

/** The account's values under our own names. */
interface LoriotAccount {
  /** `https://host`. */
  base: string
  apiKey: string
  /** 8 upper-case digits. */
  applicationId: string
  /** Allows downlinks. */
  applicationToken?: string
  /** Upper-case digits; without one, the account's only network is meant. */
  networkId?: string
}

/** Takes values without faults. */
export function readAccount(values: AccountValues): LoriotAccount {
  return {
    base: baseOf(values.server ?? ''),
    apiKey: values.api_key ?? '',
    applicationId: (values.application_id ?? '').toUpperCase(),
    ...(values.application_token ? { applicationToken: values.application_token } : {}),
    ...(values.network_id ? { networkId: values.network_id.toUpperCase() } : {}),
  }
}

/** A name without dots is that of one of LORIOT's own servers. */
function baseOf(server: string): string {
  if (isApiAddress(server)) return server
  const host = server.toLowerCase()
  return `https://${host.includes('.') ? host : `${host}.loriot.io`}`
}

/** An open account. */
export interface Session {
  account: LoriotAccount
  client: RestClient
  /** Never repeated in a message. Tokens from LORIOT are added. */
  secrets: string[]
  /** The application's token, once it is known. */
  token?: string
  /** The network of the gateways, once it is known. */
  networkId?: string
  close(): void
}

export function openSession(
  values: AccountValues,
  outside: Outside,
  options: ConnectionOptions = {},
): Session {
  const account = readAccount(values)
  const secrets = [account.apiKey, account.applicationToken ?? '']
  const client = openRest({
    name: 'LORIOT',
    base: account.base,
    headers: () => ({ authorization: `Bearer ${account.apiKey}` }),
    outside,
    secrets,
    ...options,
  })
  return { account, client, secrets, close: () => client.close() }
}

/** Path of something in the account's application. */
export function applicationPath({ account }: Session, rest: string): string {
  return `/1/nwk/app/${account.applicationId}/${rest}`
}

/** Throws if the API key or the application is not right. */
export async function readApplication(session: Session): Promise<void> {
  try {
    await session.client.call({ method: 'GET', path: applicationPath(session, 'app') })
  } catch (error) {
    if (!isAboutMissing(error)) throw error
    // The key is good when it may list the user's own applications.
    await session.client.call({ method: 'GET', path: '/1/nwk/apps', query: { perPage: 1 } })
    throw new NetworkError(
      'refused',
      `LORIOT has no application ${session.account.applicationId} (application_id) that the API key may see.`,
    )
  }
}

/** The answer about one thing of the application; undefined when there is no such thing. */
export async function find(session: Session, path: string): Promise<unknown> {
  try {
    return (await session.client.call({ method: 'GET', path })).body
  } catch (error) {
    if (!isAboutMissing(error)) throw error
    await readApplication(session)
    return undefined
  }
}

/**
 * Makes a call that may be refused for lack of rights or of capacity: LORIOT answers both with 403.
 * Lack of capacity is a refusal, since repeating the call will not help.
 */
export async function change(session: Session, call: RestCall): Promise<unknown> {
  try {
    return (await session.client.call(call)).body
  } catch (error) {
    const isFull = error instanceof RefusedCall && /capacity|tier/i.test(error.message)
    if (!isFull || error.status !== 403) throw error
    const message = error.message.replace('does not allow this to the account', 'refused')
    throw new RefusedCall({ kind: 'refused', message }, error)
  }
}

/** Whether this may be LORIOT's answer about an unknown id. */
export function isAboutMissing(error: unknown): error is RefusedCall {
  return error instanceof RefusedCall && [400, 403, 404].includes(error.status)
}

const pageSize = 100

/** The items of each page, by the name, or one of the names, under which LORIOT lists them. */
export function listPages(
  { client }: Session,
  path: string,
  ...names: string[]
): AsyncGenerator<JsonObject[]> {
  let seen = 0
  return readPages('LORIOT', async (page) => {
    const query = { page, perPage: pageSize }
    const { body } = await client.call({ method: 'GET', path, query })
    const listed = isObject(body) ? names.map((name) => body[name]).find(Array.isArray) : body
    const items = objectsOf(listed)
    seen += items.length
    const total = isObject(body) && typeof body.total === 'number' ? body.total : seen
    return { items, isLast: items.length === 0 || seen >= total }
  })
}
