import { objectsOf } from '../answer-fields.ts'
import { readStatusWords } from '../error-words.ts'
import { isObject, type JsonObject } from '../message-fields.ts'
import type { AccountValues, ConnectionOptions } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import type { Outside } from '../outside.ts'
import { readPages } from '../pages.ts'
import { openRest, RefusedCall, type RestCall, type RestClient } from '../rest.ts'
import { readAccount, type StackAccount } from './account.ts'
import { toServerName } from './server-names.ts'

/** What the calls of one account share. */
export interface Session {
  account: StackAccount
  /** Calls the identity server; the answer is the body. */
  askIdentityServer(call: RestCall): Promise<JsonObject>
  /** Calls the network, application or join server, each by its prefix in the path. */
  askCluster(call: RestCall): Promise<JsonObject>
  /** The name of the servers with which devices are registered. */
  serverName: string
  /** The ids of devices that do not have the usual one, by DevEUI. */
  deviceIds: Map<string, string>
  close(): void
}

export function openSession(
  values: AccountValues,
  outside: Outside,
  options?: ConnectionOptions,
): Session {
  const account = readAccount(values)
  const open = (server: URL) =>
    openRest({
      name: 'The Things Stack',
      base: `${server.origin}/api/v3`,
      headers: () => ({ authorization: `Bearer ${account.apiKey}` }),
      outside,
      secrets: [account.apiKey],
      explain,
      ...options,
    })
  const cluster = open(account.cluster)
  const isElsewhere = account.identityServer.origin !== account.cluster.origin
  const identityServer = isElsewhere ? open(account.identityServer) : cluster
  const ask = (client: RestClient) => async (call: RestCall) => {
    const { body } = await client.call(call).catch(blameKey)
    return isObject(body) ? body : {}
  }
  return {
    account,
    askIdentityServer: ask(identityServer),
    askCluster: ask(cluster),
    serverName: toServerName(account.cluster.hostname),
    deviceIds: new Map(),
    close: () => {
      cluster.close()
      if (isElsewhere) identityServer.close()
    },
  }
}

/** Names the field of the account if the words are about the API key. */
function explain(body: unknown): string | undefined {
  const words = readStatusWords(body)
  const { code, message } = isObject(body) ? body : {}
  const isOfKey = code === unauthenticated || isUnreadableKey(message)
  return isOfKey && words !== undefined ? `${words} (api_key)` : words
}

/** Of the codes of gRPC. */
const unauthenticated = 16

/** A malformed key is answered with 400 and this message (pkg/auth, SplitToken). */
function isUnreadableKey(message: unknown): boolean {
  return typeof message === 'string' && message.startsWith('error:pkg/auth:token ')
}

function blameKey(error: unknown): never {
  const { message: words } = error instanceof RefusedCall && isObject(error.body) ? error.body : {}
  if (!(error instanceof RefusedCall) || !isUnreadableKey(words)) throw error
  throw new NetworkError('unauthorized', error.message, { about: 'account' })
}

/** Whether this version does not take the call. */
export function isInvalid(error: unknown): boolean {
  return error instanceof RefusedCall && error.status === 400
}

/** Whether an id or an EUI is taken. */
export function isTaken(error: unknown): boolean {
  return error instanceof RefusedCall && error.status === 409
}

/** 1000 is the most that may be asked for. */
const pageSize = 500

/** With the attributes, which become tags. */
export const taggedFields = 'ids,name,attributes'

/** With the model of the Device Repository, too. */
export const deviceFields = 'ids,name,attributes,version_ids'

export function listPages(
  session: Session,
  path: string,
  member: 'applications' | 'end_devices' | 'gateways',
  fieldMask = 'ids,name',
): AsyncGenerator<JsonObject[]> {
  return readPages('The Things Stack', async (page) => {
    const query = { field_mask: fieldMask, order: 'created_at', limit: pageSize, page }
    const answer = await session.askIdentityServer({ method: 'GET', path, query })
    const items = objectsOf(answer[member])
    return { items, isLast: items.length < pageSize }
  })
}
