// What the AWS SDK throws, as errors of a network.
import { NetworkError } from '../network.ts'
import { redact } from '../rest.ts'

/** A call that AWS answered with an error of the caller's. */
export class RefusedByAws extends NetworkError {
  /** AWS's own name of the error, such as `ResourceNotFoundException`. */
  readonly code: string
  readonly status: number

  constructor(kind: NetworkError['kind'], message: string, code: string, status: number) {
    super(kind, message)
    this.code = code
    this.status = status
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof RefusedByAws && error.status === 404
}

/** AWS IoT Wireless says ConflictException, AWS IoT ResourceAlreadyExistsException. */
export function isConflict(error: unknown): boolean {
  return error instanceof RefusedByAws && error.status === 409
}

/** What never reached AWS, or was turned away by it before anything was done. */
const undoneCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])
const undoneStatuses = new Set([429, 503])
/** AWS IoT throttles with a status of 400, the others with 429 (schemas of @aws-sdk/client-iot). */
const throttled = 'ThrottlingException'

/** The parts of the SDK's errors that are looked at; all of them may be missing. */
interface SdkError {
  name?: string
  message?: string
  code?: string
  cause?: unknown
  $metadata?: { httpStatusCode?: number }
  $response?: { statusCode?: number }
}

/** `host` and `secrets`: of the call; a secret is never repeated in a message. */
export function toNetworkError(error: unknown, host: string, secrets: readonly string[]) {
  if (error instanceof NetworkError) return error
  const known: SdkError = error instanceof Error ? error : {}
  if (known.cause instanceof NetworkError) return known.cause
  const status = known.$metadata?.httpStatusCode ?? known.$response?.statusCode
  if (status === undefined) return unreachable(known, host, secrets)
  const code = known.name ?? ''
  const words = `${redact(known.message || `status ${status}`, secrets)} (${code})`
  if (status === 401 || status === 403) {
    return new RefusedByAws(
      'unauthorized',
      `AWS does not accept the account: ${words}.`,
      code,
      status,
    )
  }
  const isPassing = status === 408 || status === 429 || code === throttled
  if (status >= 400 && status < 500 && !isPassing) {
    return new RefusedByAws('refused', `AWS refused: ${words}.`, code, status)
  }
  // A success that cannot be read was not sent by AWS.
  const reason = status < 400 ? 'what answered does not speak its API' : words
  const isUndone = undoneStatuses.has(status) || code === throttled
  return new NetworkError(
    'unreachable',
    `AWS at ${host} could not be reached: ${reason}.`,
    isUndone,
  )
}

function unreachable({ name, message, code }: SdkError, host: string, secrets: readonly string[]) {
  const isLate = name === 'TimeoutError' || name === 'AbortError'
  const reason = isLate ? 'it did not answer in time' : redact(message || code || '', secrets)
  const isUndone = undoneCodes.has(code ?? '')
  return new NetworkError(
    'unreachable',
    `AWS at ${host} could not be reached: ${reason || 'no reason'}.`,
    isUndone,
  )
}
