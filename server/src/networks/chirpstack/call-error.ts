// What became of a gRPC call that ChirpStack did not carry out.
import { type ServiceError, status } from '@grpc/grpc-js'
import { NetworkError } from '../network.ts'
import { plainReason } from '../plain-reason.ts'

/** A call that ChirpStack, or the way there, answered with a gRPC status. */
export class CallError extends NetworkError {
  readonly code: status

  constructor(kind: NetworkError['kind'], message: string, code: status, isUndone?: boolean) {
    super(kind, message, isUndone)
    this.code = code
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

export function toCallError(error: ServiceError | null, server: URL, apiKey: string): CallError {
  const code = error?.code ?? status.UNKNOWN
  // @grpc/grpc-js ends with the note of its resolver, which resolves nothing here.
  const words = (error?.details ?? '').replace(/\.? Resolution note: *$/, '')
  const details = plainReason(words).replaceAll(apiKey, '[API key]').slice(0, 500)
  const kind = toKind(code, details)
  if (kind === 'unreachable') {
    const said = details.replace(/^No connection established\. Last error: (\w*Error: )?/, '')
    const reason = code === status.DEADLINE_EXCEEDED ? 'it did not answer in time' : said
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
