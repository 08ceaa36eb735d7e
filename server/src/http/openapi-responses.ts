import type { AnyEndpoint, Route } from './endpoint.ts'
import type { FieldErrors } from './errors.ts'
import { takesIdempotencyKey } from './idempotency.ts'
import type { JsonSchema } from './openapi-schemas.ts'

const errors = {
  type: 'object',
  description: 'Messages by field; a nested field is named `outer.inner`.',
  additionalProperties: { type: 'array', items: { type: 'string' } },
}

const codes = {
  error_codes: {
    type: 'object',
    description:
      'The code of each message, in the shape of `errors`. Codes do not change; messages are English.',
    additionalProperties: { type: 'array', items: { type: 'string' } },
  },
  error_values: {
    type: 'object',
    description: 'What stands in each message, in the shape of `errors`: `{ "limit": 255 }`.',
    additionalProperties: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      },
    },
  },
}

/** The two shapes of a failure (docs/contract.txt, 7.1). */
export const errorSchemas: Record<string, JsonSchema> = {
  Error: {
    type: 'object',
    properties: { message: { type: 'string' }, errors, ...codes },
    required: ['message'],
  },
  ValidationError: {
    type: 'object',
    properties: {
      message: { type: 'string', description: 'The first of the messages.' },
      errors,
      ...codes,
    },
    required: ['message', 'errors'],
  },
}

interface Failure {
  name: string
  description: string
  schema?: keyof typeof errorSchemas
  /** Example answers. */
  examples: readonly { message: string; errors?: FieldErrors }[]
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
      'The request cannot be read: the Organization header is missing or not an integer, or the body is not valid JSON. Also: the current password is wrong.',
    examples: [
      { message: 'The Organization header is required and must be an integer.' },
      { message: 'The request body is not valid JSON.' },
      {
        message: 'You have entered wrong password.',
        errors: { password: ['You have entered wrong password.'] },
      },
    ],
  },
  401: {
    name: 'Unauthenticated',
    description:
      'Nobody is known by it: the token is missing, unknown, expired or ended, or the credentials or the secret are wrong.',
    examples: [{ message: 'Unauthenticated.' }],
    headers: {
      'WWW-Authenticate': { description: '`Bearer`.', schema: { type: 'string' } },
    },
  },
  403: {
    name: 'Forbidden',
    description: 'Not a member of the organization, or without the permission that is needed.',
    examples: [
      { message: 'You are not a member of this organization.' },
      { message: 'You do not have the permission manage_devices.' },
    ],
  },
  404: {
    name: 'NotFound',
    description: 'There is no such thing in this organization.',
    examples: [
      { message: 'device not found' },
      { message: 'Gateway not found!' },
      { message: 'Group not found' },
    ],
  },
  408: {
    name: 'BodyTooSlow',
    description: 'The request body came in at less than 1 kB a second.',
    examples: [{ message: 'The request body came in too slowly.' }],
  },
  409: {
    name: 'Conflict',
    description:
      'It is in a state that does not allow this, or a request with the same Idempotency-Key is still being handled.',
    examples: [{ message: 'A request with this Idempotency-Key is still being handled.' }],
  },
  413: {
    name: 'BodyTooLarge',
    description:
      'The request body has more than 64 KiB: 5 MiB for batches, groups and reconciling, 1 MiB for codecs, 256 KiB for callbacks, 8 KiB for login and two-factor. Or it holds too many values.',
    examples: [{ message: 'The request body is too large.' }],
  },
  415: {
    name: 'UnsupportedType',
    description: 'A body was sent whose Content-Type is not application/json.',
    examples: [{ message: 'The Content-Type must be application/json.' }],
  },
  422: {
    name: 'Invalid',
    description: 'Fields are missing or wrong; all of them are named.',
    schema: 'ValidationError',
    examples: [
      {
        message: 'The device key must be 32 characters.',
        errors: {
          deviceKey: ['The device key must be 32 characters.'],
          action: ['The action field is required.'],
        },
      },
    ],
  },
  429: {
    name: 'TooManyRequests',
    description: 'The allowance of this minute is spent.',
    examples: [{ message: 'Too many requests. Please try again later.' }],
    headers: {
      ...retryAfter,
      RateLimit: {
        description:
          'What is left of the allowance (`r`), and the seconds until it is whole (`t`). All tokens of a user share it, in each organization; server processes may lag behind each other by a second.',
        schema: { type: 'string' },
      },
    },
  },
  503: {
    name: 'Unavailable',
    description: 'The service is busy or stopping; the request may be repeated.',
    examples: [{ message: 'The service is busy. Please try again shortly.' }],
    headers: retryAfter,
  },
}

/**
 * The failure statuses of a route, in rising order: those that its access and its parts imply
 * (thrown in `mount.ts`) and those that its endpoint adds.
 */
export function failuresOf<S>(route: Route<S>): number[] {
  const { method, url, access, endpoint } = route
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
  // A body is read and must be JSON, even where none is needed.
  add(method !== 'GET', 408, 413)
  add(method !== 'GET' && !isRaw(endpoint), 400, 415)
  add(takesJson, 422)
  add(endpoint.query !== undefined, 422)
  return [...statuses].sort((a, b) => a - b)
}

/** Whether the body is passed as bytes of any type. */
export function isRaw<S>(endpoint: AnyEndpoint<S>): boolean {
  return endpoint.kind === 'message'
}

/** A reference to the shared answer of a failure; throws for a status that is not described. */
export function failureReference(status: number): { $ref: string } {
  const failure = failures[status]
  if (!failure) throw new Error(`no description of the failure ${status}`)
  return { $ref: `#/components/responses/${failure.name}` }
}

/** `components/responses`. */
export function failureResponses(): Record<string, unknown> {
  return Object.fromEntries(
    Object.values(failures).map(({ name, description, schema = 'Error', headers, examples }) => [
      name,
      {
        description,
        ...(headers ? { headers } : {}),
        content: {
          'application/json': {
            schema: { $ref: `#/components/schemas/${schema}` },
            examples: Object.fromEntries(examples.map((value) => [value.message, { value }])),
          },
        },
      },
    ]),
  )
}
