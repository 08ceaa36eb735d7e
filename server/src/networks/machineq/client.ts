// The calls of machineQ's API v1, with a token of OAuth 2.0 client credentials (OlegZv/machineq,
// auth.py and client/base.py). Names are in PascalCase; errors are those of gRPC: code, message.
import { type AccessToken, createTokenCache } from '../access-token.ts'
import { isObject } from '../message-fields.ts'
import { type AccountValues, type ConnectionOptions, NetworkError } from '../network.ts'
import type { Outside } from '../outside.ts'
import { openRest, RefusedCall, type RestCall } from '../rest.ts'

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
  /** The address of the account's callback, by which its own output profile is known. */
  callbackUrl: string
  /** The body of the answer; once more with a new token where the last one was taken back. */
  call(call: RestCall): Promise<unknown>
  close(): void
}

export interface MachineqOptions extends ConnectionOptions {
  now?: () => number
}

export function openSession(
  values: AccountValues,
  outside: Outside,
  { now = Date.now, callbackUrl = '', ...options }: MachineqOptions = {},
): Session {
  const account = readAccount(values)
  const secrets = [account.clientSecret]
  const common = { name: 'machineQ', outside, secrets, ...options }
  const identity = openRest({ ...common, base: account.identity })
  const tokens = createTokenCache(async () => {
    const token = await fetchToken(identity.call, account, now)
    // The latest is enough: an older one is worth nothing any more.
    secrets[1] = token.token
    return token
  }, now)
  const api = openRest({
    ...common,
    base: `${account.api}/v1`,
    headers: async () => ({ authorization: `Bearer ${await tokens.get()}` }),
  })
  return {
    account,
    callbackUrl,
    call: async (call) => (await tokens.use(() => api.call(call))).body,
    close: () => {
      identity.close()
      api.close()
    },
  }
}

async function fetchToken(
  call: ReturnType<typeof openRest>['call'],
  { clientId, clientSecret }: MachineqAccount,
  now: () => number,
): Promise<AccessToken> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  })
  const answer = await call({ method: 'POST', path: '/oauth/token', body }).catch((error) => {
    // RFC 6749 section 5.2 answers wrong credentials with a 400 or a 401.
    const isWrongClient = error instanceof RefusedCall && error.kind === 'refused'
    throw isWrongClient ? new NetworkError('unauthorized', error.message) : error
  })
  const { access_token, expires_in } = isObject(answer.body) ? answer.body : {}
  if (typeof access_token !== 'string' || access_token === '') {
    throw new NetworkError('unreachable', 'machineQ answered without an access token.')
  }
  const seconds = Number(expires_in)
  return { token: access_token, expiresAt: now() + (seconds > 0 ? seconds : 300) * 1000 }
}

/** As `call`; undefined where machineQ has no such thing. */
export async function find(session: Session, path: string): Promise<unknown> {
  try {
    return await session.call({ method: 'GET', path })
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
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
