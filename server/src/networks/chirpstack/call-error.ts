// Explains a gRPC call that failed.
import { type ServiceError, status } from '@grpc/grpc-js'
import { plainReason } from '../error-words.ts'
import { NetworkError, type ReadError, readFailedAnswer } from '../network-error.ts'

/** A call that ended with a gRPC status of ChirpStack or of something on the way there. */
export class CallError extends NetworkError {
  readonly code: status

  constructor({ kind, message, ...details }: ReadError, code: status) {
    super(kind, message, details)
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

/**
 * As grpc-gateway and ChirpStack's own REST API have them; what is not here is an error of the
 * server.
 */
const httpStatuses: Partial<Record<status, number>> = {
  [status.INVALID_ARGUMENT]: 400,
  [status.FAILED_PRECONDITION]: 400,
  [status.OUT_OF_RANGE]: 400,
  [status.UNAUTHENTICATED]: 401,
  [status.PERMISSION_DENIED]: 403,
  [status.NOT_FOUND]: 404,
  [status.ALREADY_EXISTS]: 409,
  [status.RESOURCE_EXHAUSTED]: 429,
  [status.UNIMPLEMENTED]: 501,
}

export function toCallError(error: ServiceError | null, server: URL, apiKey: string): CallError {
  const code = error?.code ?? status.UNKNOWN
  // @grpc/grpc-js appends a note of its resolver, which resolves nothing here.
  const said = (error?.details ?? '').replace(/\.? Resolution note: *$/, '')
  const details = plainReason(said).replaceAll(apiKey, '[API key]').slice(0, 500)
  const words = details
    .replace(/^No connection established\. Last error: (\w*Error: )?/, '')
    .replace(noGrpc, 'it does not speak gRPC at this port')
  if (isOnTheWay(code, details)) {
    const reason = code === status.DEADLINE_EXCEEDED ? 'it did not answer in time' : words
    const message = `ChirpStack at ${server.origin} could not be reached: ${reason || status[code]}.`
    return new CallError({ kind: 'unreachable', message, ...howFar(code, details) }, code)
  }
  const read = readFailedAnswer({
    name: 'ChirpStack',
    host: server.origin,
    status: toHttpStatus(code, details),
    ...(error ? { headers: error.metadata.getMap() } : {}),
    words: words || (isDenial(code) ? noPermission : status[code]),
  })
  return new CallError(read, code)
}

/**
 * What ChirpStack's database says of the values that it was given comes as INTERNAL
 * (chirpstack/src/storage/error.rs), but saying it again will not help.
 */
const ofValues = /constraint|value too long for type|invalid byte sequence/i
/** What an HTTP/1 server at the port makes of @grpc/grpc-js, which adds the time. */
const noGrpc = /^Protocol error(?: \([^)]*\))?/
const noPermission = 'the API key has no permission for this'

function isDenial(code: status): boolean {
  return code === status.UNAUTHENTICATED || code === status.PERMISSION_DENIED
}

/** Of @grpc/grpc-js build/src/subchannel-call.js: a proxy answered in ChirpStack's place. */
const slowDownOfProxy = /^Received HTTP status code 429/

function toHttpStatus(code: status, details: string): number {
  if (slowDownOfProxy.test(details)) return 429
  // Without words it is the validator's (chirpstack/src/api/auth/validator.rs): the key is one, and
  // may not do this. With words it is no key (api/auth/mod.rs).
  if (code === status.UNAUTHENTICATED && details === '') return 403
  if (code === status.INTERNAL && ofValues.test(details)) return 400
  return httpStatuses[code] ?? 500
}

/** Whether ChirpStack itself did not answer: the connection failed, or a proxy answered. */
function isOnTheWay(code: status, details: string): boolean {
  if (slowDownOfProxy.test(details)) return false
  const isCut = code === status.RESOURCE_EXHAUSTED && /message larger than max/.test(details)
  return isCut || [status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED].includes(code)
}

/**
 * Whether the call never began: no connection came about, or ChirpStack itself answered that it is
 * unavailable. Not so when the connection broke or a proxy answered; the texts are those of
 * @grpc/grpc-js build/src/{subchannel-call,load-balancer-pick-first}.js.
 */
function howFar(code: status, details: string): Pick<ReadError, 'isUndone' | 'about'> {
  if (code !== status.UNAVAILABLE) return {}
  const isUnread = /^(No connection established|Name resolution failed)/.test(details)
  if (isUnread) return { isUndone: true, about: 'account' }
  return {
    isUndone: !/^(Connection dropped|Received HTTP status|Write )|ECONNRESET|ETIMEDOUT/.test(
      details,
    ),
  }
}
