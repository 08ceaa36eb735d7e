// What the calls of LORIOT's API have in common. Paths and bodies are those of the Public NWK REST
// API 5.0. It lists 400, 401 and 403 for refusals but says neither what their bodies are nor what
// is answered for an id that does not exist, so that every guess here is proven by another call.
import type { AccountValues } from '../network.ts'
import { NetworkError } from '../network.ts'
import type { Outside } from '../outside.ts'
import { openRest, RefusedCall, type RestCall, type RestClient } from '../rest.ts'
import { type LoriotAccount, readAccount } from './account.ts'

/** An open account. */
export interface Session {
  account: LoriotAccount
  client: RestClient
  /** What LORIOT must not see repeated in a message; tokens that it gives us are added. */
  secrets: string[]
  /** Of the application, once known. */
  token?: string
  /** Of the gateways' network, once known. */
  networkId?: string
}

export interface LoriotOptions {
  deadlineMs?: number
}

export function openSession(
  values: AccountValues,
  outside: Outside,
  options: LoriotOptions = {},
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
  return { account, client, secrets }
}

/** Path of something in the account's application. */
export function applicationPath({ account }: Session, rest: string): string {
  return `/1/nwk/app/${account.applicationId}/${rest}`
}

/** Throws where the API key or the application is not right. */
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
 * Makes a call that may be refused for want of rights or of room, which LORIOT both answers with a
 * 403. What has no room is refused: saying it again will not help.
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

/** Whether this may be LORIOT's answer about an id that it does not know. */
export function isAboutMissing(error: unknown): error is RefusedCall {
  return error instanceof RefusedCall && [400, 403, 404].includes(error.status)
}
