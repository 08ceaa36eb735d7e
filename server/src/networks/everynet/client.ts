// The calls of Everynet's management API v1.0 (ns.docs.everynet.io, Management API). The access
// token of an API key goes into the query, as its examples have it.
import { isApiAddress } from '../account-fields.ts'
import { isObject } from '../message-fields.ts'
import type { AccountValues, ConnectionOptions } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import type { Outside } from '../outside.ts'
import { allowMissing, openRest, type RestCall, type RestClient } from '../rest.ts'

/** The account's values under our own names. */
interface EverynetAccount {
  /** `https://host`, without the path of the API. */
  base: string
  /** Of the adapters, which take messages. */
  adapters: string
  accessToken: string
  connectionId: string
  /** What the connection sends and expects as `Authorization`. */
  authorization?: string
}

/** Takes values without faults. */
export function readAccount(values: AccountValues): EverynetAccount {
  const base = baseOf(values.server || values.region || '')
  return {
    base,
    adapters: base.replace('://ns.', '://adapters.ns.'),
    accessToken: values.access_token ?? '',
    connectionId: values.connection_id ?? '',
    ...(values.authorization ? { authorization: values.authorization } : {}),
  }
}

/** A name without dots is one of Everynet's regions. */
function baseOf(region: string): string {
  if (isApiAddress(region)) return new URL(region).origin
  const host = region.toLowerCase()
  return `https://${host.includes('.') ? host : `ns.${host}.everynet.io`}`
}

/** An open account. */
export interface Session {
  account: EverynetAccount
  api: RestClient
  adapters: RestClient
  /** The names of the bands, once they are known. */
  bands?: string[]
  close(): void
}

export function openSession(
  values: AccountValues,
  outside: Outside,
  options: ConnectionOptions = {},
): Session {
  const account = readAccount(values)
  const secrets = [account.accessToken, account.authorization ?? '']
  const common = { name: 'Everynet', outside, secrets, explain, ...options }
  const api = openRest({ ...common, base: `${account.base}/api/v1.0` })
  const adapters = openRest({ ...common, base: account.adapters })
  return {
    account,
    api,
    adapters,
    close: () => {
      api.close()
      adapters.close()
    },
  }
}

/** The body of the answer. */
export async function call({ api, account }: Session, { query, ...rest }: RestCall) {
  const { body } = await api.call({
    ...rest,
    query: { ...query, access_token: account.accessToken },
  })
  return body
}

/** As `call`; undefined if Everynet has no such thing. */
export function find(session: Session, path: string): Promise<unknown> {
  return allowMissing(call(session, { method: 'GET', path }))
}

/** The form of an error is not documented. */
function explain(body: unknown): string | undefined {
  if (typeof body === 'string') return body.startsWith('<') ? undefined : body || undefined
  if (!isObject(body)) return undefined
  for (const name of ['message', 'error', 'reason', 'detail', 'errors']) {
    const words = body[name]
    if (typeof words === 'string' && words !== '') return words
    if (typeof words === 'object' && words !== null) return JSON.stringify(words)
  }
  return undefined
}

// ns.docs.everynet.io, adapters/http2 and data API, downlink_claim.
/**
 * Tells Everynet that a downlink waits, so that it asks for the downlink at once. For a device of
 * class A Everynet asks after each uplink anyway. The answer is 202.
 */
export async function claimDownlink({ adapters, account }: Session, devEui: string): Promise<void> {
  if (!account.authorization) return
  try {
    await adapters.call({
      method: 'POST',
      path: `/http2/cb/${account.connectionId}`,
      headers: { authorization: account.authorization },
      body: { meta: { device: devEui.toLowerCase() }, type: 'downlink_claim' },
    })
  } catch (error) {
    // Without the claim the downlink is fetched after the next uplink.
    if (!(error instanceof NetworkError) || error.kind !== 'refused') throw error
  }
}
