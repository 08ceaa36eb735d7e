/** Field name to its messages, as `errors` of a 422 or 400 gives them. */
export type FieldErrors = Record<string, string[]>

/** An answer other than success. Thrown by handlers only; what lies below returns results. */
export class HttpError extends Error {
  readonly status: number
  readonly errors: FieldErrors | undefined
  readonly headers: Record<string, string>
  /** Who was refused, where nothing else of the request tells; for the log. */
  readonly userId: number | undefined

  constructor(
    status: number,
    message: string,
    more: { errors?: FieldErrors; headers?: Record<string, string>; userId?: number } = {},
  ) {
    super(message)
    this.status = status
    this.errors = more.errors
    this.headers = more.headers ?? {}
    this.userId = more.userId
  }
}

/** 422 with every field's messages; `message` repeats the first. */
export function invalid(errors: FieldErrors): HttpError {
  const first = Object.values(errors)[0]?.[0] ?? 'The given data was invalid.'
  return new HttpError(422, first, { errors })
}

/** 400 for the current password, asked for once more, being wrong (service.md, "Errors"). */
export function wrongPassword(): HttpError {
  const message = 'You have entered wrong password.'
  return new HttpError(400, message, { errors: { password: [message] } })
}

/** 400 for a request that cannot be read at all (a header missing, JSON that does not parse). */
export function badRequest(message: string): HttpError {
  return new HttpError(400, message)
}

/** 401, the same for a missing, malformed, unknown, expired or ended token. */
export function unauthenticated(message = 'Unauthenticated.'): HttpError {
  return new HttpError(401, message, { headers: { 'www-authenticate': 'Bearer' } })
}

/** 403; `userId` is who was refused, where the caller is not known by it yet. */
export function forbidden(message: string, userId?: number): HttpError {
  return new HttpError(403, message, userId === undefined ? {} : { userId })
}

/** What is said to members without a permission, alone or about one entry of many. */
export function lacksPermission(permission: string): string {
  return `You do not have the permission ${permission}.`
}

/** 404; also for what belongs to another organization, so that nobody learns that it exists. */
export function notFound(message: string): HttpError {
  return new HttpError(404, message)
}

/** 409; with `seconds`, another try is worth it after so many. */
export function conflict(message: string, seconds?: number): HttpError {
  const headers = seconds === undefined ? {} : { 'retry-after': String(seconds) }
  return new HttpError(409, message, { headers })
}

/** 429; `seconds` until another try is worth it. */
export function tooManyRequests(seconds: number, headers: Record<string, string> = {}): HttpError {
  return new HttpError(429, 'Too many requests. Please try again later.', {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(seconds))), ...headers },
  })
}

/** 503; the sender may repeat the request after `seconds`. */
export function unavailable(
  seconds: number,
  message = 'The service is busy. Please try again shortly.',
): HttpError {
  return new HttpError(503, message, {
    headers: { 'retry-after': String(seconds) },
  })
}
