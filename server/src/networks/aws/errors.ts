// Turns what the AWS SDK throws into errors of a network.
import { NetworkError, type ReadError, readFailedAnswer } from '../network-error.ts'
import { RefusedCall, redact, toUnreachable } from '../rest.ts'

/** A call that AWS answered with a status of 4xx. */
export class RefusedByAws extends RefusedCall {
  /** AWS's own name of the error, such as `ResourceNotFoundException`. */
  readonly code: string

  constructor(error: ReadError, code: string, status: number) {
    super(error, { status, body: undefined })
    this.code = code
  }
}

/** AWS IoT Wireless says ConflictException, AWS IoT ResourceAlreadyExistsException. */
export function isConflict(error: unknown): boolean {
  return error instanceof RefusedByAws && error.status === 409
}

/** AWS IoT throttles with a status of 400, the others with 429 (schemas of @aws-sdk/client-iot). */
const throttled = 'ThrottlingException'
/** AWS answers most wrong keys with 403 (IAM, "Errors common to all services"). */
const ofAccount = new Set([
  'ExpiredTokenException',
  'IncompleteSignature',
  'IncompleteSignatureException',
  'InvalidClientTokenId',
  'InvalidSignatureException',
  'MissingAuthenticationToken',
  'MissingAuthenticationTokenException',
  'SignatureDoesNotMatch',
  'UnrecognizedClientException',
])

/** The members of the SDK's errors that are read; any of them may be missing. */
interface SdkError {
  name?: string
  message?: string
  $metadata?: { httpStatusCode?: number }
  $response?: { statusCode?: number; headers?: Record<string, string> }
}

/** Never repeats one of `secrets` in a message. */
export function toNetworkError(error: unknown, host: string, secrets: readonly string[]) {
  if (error instanceof NetworkError) return error
  const known: SdkError = error instanceof Error ? error : {}
  const status = known.$metadata?.httpStatusCode ?? known.$response?.statusCode
  if (status === undefined) return toUnreachable(error, { name: 'AWS', host, secrets })
  const code = known.name ?? ''
  // A success that cannot be read was not sent by AWS.
  if (status < 400) {
    const fault = new Error('what answered does not speak its API')
    return toUnreachable(fault, { name: 'AWS', host, secrets: [] })
  }
  const words = `${redact(known.message || `status ${status}`, secrets)} (${code})`
  const headers = known.$response?.headers ?? {}
  const counted = code === throttled ? 429 : ofAccount.has(code) ? 401 : status
  const read = readFailedAnswer({ name: 'AWS', host, status: counted, headers, words })
  if (read.kind !== 'unreachable') return new RefusedByAws(read, code, status)
  return new NetworkError(read.kind, read.message, read)
}
