// The calls of machineQ's API v1, with a token of OAuth 2.0 client credentials (OlegZv/machineq,
// auth.py and client/base.py). Names are in PascalCase; errors are those of gRPC: code, message.

import { grantByCredentials, openTokenClient } from '../access-token.ts'
import { isObject } from '../message-fields.ts'
import type { AccountValues, ConnectionOptions } from '../network.ts'
import type { Outside } from '../outside.ts'
import { allowMissing, RefusedCall, type RestCall } from '../rest.ts'

/** The account's values under our own names. */
interface MachineqAccount {
  /** `https://host`, without the path of the API. */
  api: string
  /** Of the server that gives tokens. */
  identity: string
  clientId: string
  clientSecret: string
  serviceProfile: string
  deviceProfile: string
  outputProfile?: string
}

/** Takes values without faults. */
export function readAccount(values: AccountValues): MachineqAccount {
  const api = new URL(values.server || 'https://api.machineq.net').origin
  return {
    api,
    // `api.dev.machineq.net` has `identity.dev.machineq.net` (OlegZv/machineq, auth.py).
    identity: api.replace('://api.', '://identity.'),
    clientId: values.client_id ?? '',
    clientSecret: values.client_secret ?? '',
    serviceProfile: values.service_profile ?? '',
    deviceProfile: values.device_profile ?? '',
    ...(values.output_profile ? { outputProfile: values.output_profile } : {}),
  }
}

/** An open account. */
export interface Session {
  account: MachineqAccount
  /**
   * The address of the account's callback, from which the name of its output profile is derived.
   */
  callbackUrl: string
  /** Returns the body of the answer. */
  call(call: RestCall): Promise<unknown>
  close(): void
}

interface MachineqOptions extends ConnectionOptions {
  now?: () => number
}

export function openSession(
  values: AccountValues,
  outside: Outside,
  { now = Date.now, callbackUrl = '', ...options }: MachineqOptions = {},
): Session {
  const account = readAccount(values)
  const client = openTokenClient(
    {
      name: 'machineQ',
      base: `${account.api}/v1`,
      outside,
      secrets: [account.clientSecret],
      ...options,
    },
    { ...grantByCredentials('/oauth/token', account), base: account.identity },
    now,
  )
  return {
    account,
    callbackUrl,
    call: async (call) => (await client.call(call)).body,
    close: client.close,
  }
}

/** As `call`; undefined if machineQ has no such thing. */
export function find(session: Session, path: string): Promise<unknown> {
  return allowMissing(session.call({ method: 'GET', path }), isMissing)
}

/** The codes of gRPC: grpc.io/docs/guides/status-codes. */
const notFound = 5

export function isMissing(error: unknown): boolean {
  if (!(error instanceof RefusedCall)) return false
  return error.status === 404 || (isObject(error.body) && error.body.code === notFound)
}

/** The members of a list under its name. */
export function listIn(body: unknown, name: string): Record<string, unknown>[] {
  const listed = isObject(body) ? body[name] : undefined
  return Array.isArray(listed) ? listed.filter(isObject) : []
}
