/** Messages by field, as `errors` of a 422 or 400. */
export type FieldErrors = Record<string, string[]>

/** A member or an API key of an organization, whose request is refused. */
export interface Refused {
  organizationId: number
  /** Of a key, the user who made it. */
  userId: number
  key?: { id: number; name: string } | undefined
}

/** An answer other than success. Only handlers throw it; functions below return results. */
export class HttpError extends Error {
  readonly status: number
  readonly errors: FieldErrors | undefined
  readonly headers: Record<string, string>
  /** The refused user, if the request does not show it; for the log. */
  readonly userId: number | undefined
  /** The refused API key, if the request does not show it; for the log. */
  readonly keyId: number | undefined
  /** The refused caller as its organization knows it, if the request does not show it. */
  readonly refused: Refused | undefined

  constructor(
    status: number,
    message: string,
    more: {
      errors?: FieldErrors
      headers?: Record<string, string>
      userId?: number
      keyId?: number
      refused?: Refused | undefined
    } = {},
  ) {
    super(message)
    this.status = status
    this.errors = more.errors
    this.headers = more.headers ?? {}
    this.userId = more.userId
    this.keyId = more.keyId
    this.refused = more.refused
  }
}

/** 422 with all messages; `message` repeats the first. */
export function invalid(errors: FieldErrors): HttpError {
  const first = Object.values(errors)[0]?.[0] ?? 'The given data was invalid.'
  return new HttpError(422, first, { errors })
}

/** 400 for a wrong current password (docs/contract.txt, 7.1). */
export function wrongPassword(): HttpError {
  const message = 'You have entered wrong password.'
  return new HttpError(400, message, { errors: { password: [message] } })
}

/** 400 for a request that cannot be read: a missing header, invalid JSON. */
export function badRequest(message: string): HttpError {
  return new HttpError(400, message)
}

/** 401, the same for a missing, malformed, unknown, expired or ended token. */
export function unauthenticated(message = 'Unauthenticated.', refused?: Refused): HttpError {
  return new HttpError(401, message, { headers: { 'www-authenticate': 'Bearer' }, refused })
}

/** 403; `userId` is the refused user, where the caller is not known yet. */
export function forbidden(message: string, userId?: number): HttpError {
  return new HttpError(403, message, userId === undefined ? {} : { userId })
}

/** 403 for a member of an organization, or for an API key of it. */
export function refuse(message: string, refused: Refused): HttpError {
  const { userId, key } = refused
  return new HttpError(403, message, { userId, ...(key ? { keyId: key.id } : {}), refused })
}

/** The message for members without a permission, for a request or one entry of a batch. */
export function lacksPermission(permission: string): string {
  return `You do not have the permission ${permission}.`
}

/** 404, also for things of other organizations, so that nobody learns that they exist. */
export function notFound(message: string, refused?: Refused): HttpError {
  return new HttpError(404, message, { refused })
}

/** 409; `seconds` until another try makes sense. */
export function conflict(message: string, seconds?: number): HttpError {
  const headers = seconds === undefined ? {} : { 'retry-after': String(seconds) }
  return new HttpError(409, message, { headers })
}

/** 429; `seconds` until another try makes sense. */
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
