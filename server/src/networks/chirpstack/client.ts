// The gRPC side of ChirpStack's API: one channel, and every failure as a `CallError`.
import {
  type CallOptions,
  Client,
  credentials,
  Metadata,
  type MethodDefinition,
  type ServiceError,
  status,
} from '@grpc/grpc-js'
import { NetworkError } from '../network.ts'
import type { Outside } from '../outside.ts'
import type { ChirpStackAccount } from './account.ts'

export interface ChirpStackClient {
  /** Throws `CallError`. */
  call<Request, Response>(
    method: MethodDefinition<Request, Response>,
    request: Request,
  ): Promise<Response>
  close(): void
}

/** What the calls of one account share. */
export interface Session {
  client: ChirpStackClient
  account: ChirpStackAccount
}

/** A call that ChirpStack, or the way there, answered with a gRPC status. */
export class CallError extends NetworkError {
  readonly code: status

  constructor(kind: NetworkError['kind'], message: string, code: status, isUndone?: boolean) {
    super(kind, message, isUndone)
    this.code = code
  }
}

const defaultDeadlineMs = 5_000
const messageLimit = 4 * 1024 * 1024

const channelOptions = {
  'grpc.max_receive_message_length': messageLimit,
  'grpc.max_send_message_length': messageLimit,
  'grpc.service_config_disable_resolution': 1,
  // Would read http_proxy and its like, which are not among the service's settings.
  'grpc.enable_http_proxy': 0,
  // The default waits up to two minutes before it tries a server that is back again.
  'grpc.initial_reconnect_backoff_ms': 500,
  'grpc.max_reconnect_backoff_ms': 5_000,
}

/** Opens nothing by itself: the first call does. `deadlineMs` is for each call. */
export function openClient(
  { server, apiKey }: ChirpStackAccount,
  outside: Outside,
  { deadlineMs }: { deadlineMs: number } = { deadlineMs: defaultDeadlineMs },
): ChirpStackClient {
  const isSecure = server.protocol === 'https:'
  const address = `${server.hostname}:${server.port || (isSecure ? 443 : 80)}`
  const client = new Client(
    address,
    isSecure ? credentials.createSsl() : credentials.createInsecure(),
    channelOptions,
  )
  const metadata = new Metadata()
  metadata.set('authorization', `Bearer ${apiKey}`)
  let isClosed = false
  return {
    call: (method, request) =>
      new Promise((resolve, reject) => {
        outside.check(server)
        if (isClosed) return reject(new NetworkError('unreachable', 'The connection is closed.'))
        const options: CallOptions = { deadline: Date.now() + deadlineMs }
        const { path, requestSerialize, responseDeserialize } = method
        client.makeUnaryRequest(
          path,
          requestSerialize,
          responseDeserialize,
          request,
          metadata,
          options,
          (error, response) =>
            error || response === undefined
              ? reject(toCallError(error, server, apiKey))
              : resolve(response),
        )
      }),
    close: () => {
      isClosed = true
      client.close()
    },
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof CallError && error.code === status.NOT_FOUND
}

/**
 * ChirpStack denies what the key may not see. To the key of a tenant that is also every device
 * and gateway that does not exist: its permission is looked up through the object
 * (chirpstack/src/api/auth/validator.rs), so that NOT_FOUND is for the keys of administrators.
 */
export function isDenied(error: unknown): boolean {
  return error instanceof CallError && error.kind === 'unauthorized'
}

/**
 * ChirpStack names a duplicate INTERNAL, with the words of its database (`duplicate key value
 * violates unique constraint` from PostgreSQL, `UNIQUE constraint failed` from SQLite):
 * chirpstack/src/storage/error.rs never makes the ALREADY_EXISTS that api/error.rs provides for.
 */
export function isDuplicate(error: unknown): boolean {
  if (!(error instanceof CallError)) return false
  return error.code === status.ALREADY_EXISTS || /unique constraint/i.test(error.message)
}

const unauthorizedCodes = new Set([status.UNAUTHENTICATED, status.PERMISSION_DENIED])
const refusedCodes = new Set([
  status.INVALID_ARGUMENT,
  status.NOT_FOUND,
  status.ALREADY_EXISTS,
  status.FAILED_PRECONDITION,
  status.OUT_OF_RANGE,
  status.UNIMPLEMENTED,
])

function toCallError(error: ServiceError | null, server: URL, apiKey: string): CallError {
  const code = error?.code ?? status.UNKNOWN
  const details = (error?.details ?? '').replaceAll(apiKey, '[API key]').slice(0, 500)
  const kind = toKind(code, details)
  if (kind === 'unreachable') {
    const reason = code === status.DEADLINE_EXCEEDED ? 'it did not answer in time' : details
    const message = `ChirpStack at ${server.origin} could not be reached: ${reason || status[code]}.`
    return new CallError(kind, message, code, isTurnedAway(code, details))
  }
  if (kind === 'unauthorized') {
    const reason = details || 'the API key has no permission for this'
    return new CallError(kind, `ChirpStack does not accept the API key: ${reason}.`, code)
  }
  return new CallError(kind, `ChirpStack refused: ${details || status[code]}.`, code)
}

/** A constraint of ChirpStack's database comes as INTERNAL, but saying it again will not help. */
function toKind(code: status, details: string): NetworkError['kind'] {
  if (unauthorizedCodes.has(code)) return 'unauthorized'
  if (refusedCodes.has(code)) return 'refused'
  return code === status.INTERNAL && /constraint/i.test(details) ? 'refused' : 'unreachable'
}

/**
 * Whether the call never began: no connection came about, or ChirpStack itself answered that it is
 * unavailable. Not so when the connection broke or a proxy answered; the texts are those of
 * @grpc/grpc-js build/src/{subchannel-call,load-balancer-pick-first}.js.
 */
function isTurnedAway(code: status, details: string): boolean {
  if (code !== status.UNAVAILABLE) return false
  if (/^(No connection established|Name resolution failed)/.test(details)) return true
  return !/^(Connection dropped|Received HTTP status|Write )|ECONNRESET|ETIMEDOUT/.test(details)
}
