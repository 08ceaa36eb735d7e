/** The details that a failure may have besides its message. */
export interface FailureParts {
  /** Of the answer; 0 if none came. */
  status: number
  /** Messages by field, of a 422. A field in another is named `outer.inner`. */
  errors?: Record<string, string[]> | undefined
  /** The code of each message, in the shape of `errors`. */
  errorCodes?: Record<string, string[]> | undefined
  /** Names the request in the service's log. */
  requestId?: string | undefined
  /** Seconds after which the service asks to try again. */
  retryAfter?: number | undefined
  cause?: unknown
}

/** Every failure of a call. The message is the service's own if it answered. */
export class ApiError extends Error {
  readonly status: number
  readonly errors: Record<string, string[]>
  readonly errorCodes: Record<string, string[]>
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined

  constructor(message: string, parts: FailureParts) {
    super(message, parts.cause === undefined ? undefined : { cause: parts.cause })
    this.name = new.target.name
    this.status = parts.status
    this.errors = parts.errors ?? {}
    this.errorCodes = parts.errorCodes ?? {}
    this.requestId = parts.requestId
    this.retryAfter = parts.retryAfter
  }
}

/** 400: the request cannot be read. */
export class BadRequestError extends ApiError {}
/** 401: the key or token is missing, unknown, expired or ended. */
export class UnauthenticatedError extends ApiError {}
/** 403: the permission is missing, or the membership. */
export class ForbiddenError extends ApiError {}
/** 404: there is no such thing in the organization, or for this key. */
export class NotFoundError extends ApiError {}
/** 409: the state does not allow it. */
export class ConflictError extends ApiError {}
/** 422: fields are missing or wrong; `errors` names all of them. */
export class ValidationError extends ApiError {}
/** 429: the allowance of this minute is spent. */
export class TooManyRequestsError extends ApiError {}
/** 500 and above: the service is faulty, busy or stopping. */
export class ServerError extends ApiError {}
/** No answer came. The request may have been carried out or not. */
export class ConnectionError extends ApiError {}
/** The answer did not come in time. The request may have been carried out or not. */
export class TimeoutError extends ConnectionError {}

const byStatus: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: UnauthenticatedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  422: ValidationError,
  429: TooManyRequestsError,
}

/** The error of an answer that is no success. `content` is its body, parsed if it is JSON. */
export function errorOf(response: Response, content: unknown): ApiError {
  const { status, headers } = response
  const { message, errors, error_codes } = isRecord(content) ? content : {}
  const Kind = byStatus[status] ?? (status >= 500 ? ServerError : ApiError)
  const text = typeof message === 'string' ? message : `The service answered with ${status}.`
  return new Kind(text, {
    status,
    errors: isRecord(errors) ? (errors as Record<string, string[]>) : undefined,
    errorCodes: isRecord(error_codes) ? (error_codes as Record<string, string[]>) : undefined,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: readSeconds(headers.get('retry-after')),
  })
}

/** Seconds or a date (RFC 9110, 10.2.3). */
function readSeconds(value: string | null): number | undefined {
  if (value === null || value === '') return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
