import type { AnyEndpoint, Route } from './endpoint.ts'
import { takesIdempotencyKey } from './idempotency.ts'
import type { JsonSchema } from './openapi-schemas.ts'

/** The two shapes of a failure (service.md, "Errors"). */
export const errorSchemas: Record<string, JsonSchema> = {
  Error: {
    type: 'object',
    properties: { message: { type: 'string' } },
    required: ['message'],
  },
  ValidationError: {
    type: 'object',
    properties: {
      message: { type: 'string', description: 'The first of the messages.' },
      errors: {
        type: 'object',
        description: 'Messages by field; a nested field is named `outer.inner`.',
        additionalProperties: { type: 'array', items: { type: 'string' } },
      },
    },
    required: ['message', 'errors'],
  },
}

interface Failure {
  name: string
  description: string
  schema?: keyof typeof errorSchemas
  headers?: Record<string, { description: string; schema: JsonSchema }>
}

const retryAfter = {
  'Retry-After': {
    description: 'Seconds until another try is worth it.',
    schema: { type: 'integer', minimum: 1 },
  },
}

/** Every status of a failure that an operation may list. */
const failures: Record<number, Failure> = {
  400: {
    name: 'BadRequest',
    description:
      'The request cannot be read: the Organization header is missing or not an integer, or the body is not valid JSON.',
  },
  401: {
    name: 'Unauthenticated',
    description:
      'Nobody is known by it: the token is missing, unknown, expired or ended, or the credentials or the secret are wrong.',
    headers: {
      'WWW-Authenticate': { description: '`Bearer`.', schema: { type: 'string' } },
    },
  },
  403: {
    name: 'Forbidden',
    description: 'Not a member of the organization, or without the permission that is needed.',
  },
  404: {
    name: 'NotFound',
    description: 'There is no such thing in this organization.',
  },
  409: {
    name: 'Conflict',
    description:
      'It is in a state that does not allow this, or a request with the same Idempotency-Key is still being handled.',
  },
  413: { name: 'BodyTooLarge', description: 'The request body is too large.' },
  415: { name: 'UnsupportedType', description: 'The Content-Type must be application/json.' },
  422: {
    name: 'Invalid',
    description: 'Fields are missing or wrong; all of them are named.',
    schema: 'ValidationError',
  },
  429: {
    name: 'TooManyRequests',
    description: 'The allowance of this minute is spent.',
    headers: {
      ...retryAfter,
      RateLimit: {
        description:
          'What is left of the allowance (`r`), and the seconds until it is whole (`t`).',
        schema: { type: 'string' },
      },
    },
  },
  503: {
    name: 'Unavailable',
    description: 'The service is busy or stopping; the request may be repeated.',
    headers: retryAfter,
  },
}

/**
 * The statuses of the failures of a route, in rising order: what its access and its parts imply
 * (`mount.ts` raises those), and what its endpoint adds.
 */
export function failuresOf<S>(route: Route<S>): number[] {
  const [, url, access, endpoint] = route
  const statuses = new Set<number>([503, ...(endpoint.failures ?? [])])
  const add = (when: boolean, ...more: number[]) => {
    if (when) for (const status of more) statuses.add(status)
  }
  const takesJson = endpoint.body !== undefined && !isRaw(endpoint)
  const isOfMembers = endpoint.kind === 'member'
  add(access !== 'public', 401, 429)
  // 422: the query may name another organization than the header.
  add(isOfMembers, 400, 403, 422)
  add(url.includes('/:'), 404)
  add(takesIdempotencyKey(route), 409)
  add(takesJson, 400, 413, 415, 422)
  add(isRaw(endpoint), 413)
  add(endpoint.query !== undefined, 422)
  return [...statuses].sort((a, b) => a - b)
}

/** Whether the body comes as bytes of any type. */
export function isRaw<S>(endpoint: AnyEndpoint<S>): boolean {
  return endpoint.kind === 'open' && endpoint.rawBodyLimit !== undefined
}

/** Reference to the shared answer of a failure; throws when this page does not know the status. */
export function failureReference(status: number): { $ref: string } {
  const failure = failures[status]
  if (!failure) throw new Error(`no description of the failure ${status}`)
  return { $ref: `#/components/responses/${failure.name}` }
}

/** `components/responses`. */
export function failureResponses(): Record<string, unknown> {
  return Object.fromEntries(
    Object.values(failures).map(({ name, description, schema = 'Error', headers }) => [
      name,
      {
        description,
        ...(headers ? { headers } : {}),
        content: {
          'application/json': { schema: { $ref: `#/components/schemas/${schema}` } },
        },
      },
    ]),
  )
}
