import { readStatusWords } from '../error-words.ts'
import { isObject, type JsonObject } from '../message-fields.ts'
import type { Outside } from '../outside.ts'
import { openRest, RefusedCall, type RestCall, type RestClient } from '../rest.ts'
import type { StackAccount } from './account.ts'

/** A connection with what the calls of one account need to know. */
export interface Session {
  account: StackAccount
  /** Calls the identity server; the answer is the body. */
  askIdentityServer(call: RestCall): Promise<JsonObject>
  /** Calls the network, application or join server, each by its prefix in the path. */
  askCluster(call: RestCall): Promise<JsonObject>
  /** Ids of the devices that have another than the usual one, by DevEUI. */
  deviceIds: Map<string, string>
  close(): void
}

export function openSession(
  account: StackAccount,
  outside: Outside,
  options?: { deadlineMs: number },
): Session {
  const open = (server: URL) =>
    openRest({
      name: 'The Things Stack',
      base: `${server.origin}/api/v3`,
      headers: () => ({ authorization: `Bearer ${account.apiKey}` }),
      outside,
      secrets: [account.apiKey],
      explain: readStatusWords,
      ...options,
    })
  const cluster = open(account.cluster)
  const isElsewhere = account.identityServer.origin !== account.cluster.origin
  const identityServer = isElsewhere ? open(account.identityServer) : cluster
  const ask = (client: RestClient) => async (call: RestCall) => {
    const { body } = await client.call(call)
    return isObject(body) ? body : {}
  }
  return {
    account,
    askIdentityServer: ask(identityServer),
    askCluster: ask(cluster),
    deviceIds: new Map(),
    close: () => {
      cluster.close()
      if (isElsewhere) identityServer.close()
    },
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof RefusedCall && error.status === 404
}

/** A call that this version does not take. */
export function isInvalid(error: unknown): boolean {
  return error instanceof RefusedCall && error.status === 400
}

/** An id or an EUI that is taken. */
export function isTaken(error: unknown): boolean {
  return error instanceof RefusedCall && error.status === 409
}
