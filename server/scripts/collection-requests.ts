import type { OpenApiDocument, Operation } from '../src/http/openapi.ts'
import type { Parameter } from '../src/http/openapi-schemas.ts'
import { parametersOf } from './client-types.ts'
import { clientOperations } from './operation-kinds.ts'

/** An operation as collections show it: with the examples of the document. */
export interface CollectionRequest {
  name: string
  /** The tag, by which collections have their folders. */
  folder: string
  method: string
  /** Below `/v1`, such as `/devices/{device_id}`. */
  path: string
  docs: string
  pathParameters: { name: string; value: string; docs: string }[]
  queryParameters: { name: string; value: string; docs: string; isRequired: boolean }[]
  /** The examples of the body by name; the first one is sent. */
  bodies: { name: string; value: unknown }[]
  answers: { name: string; status: number; value: unknown }[]
  /** Whether it is for nobody who is logged in. */
  isOpen: boolean
  /** Gives the collection the token and the organization of its answer. */
  isLogin: boolean
}

/** The variables of a collection, with what they are at first. */
export const variables = {
  server: 'http://127.0.0.1:8080',
  token: '',
  organization: '1',
  email: '',
  password: '',
} as const

/** All operations that clients call, in the order of the document. */
export function collectRequests(document: OpenApiDocument): CollectionRequest[] {
  return clientOperations(document)
    .filter(({ method }) => method !== 'OPTIONS')
    .map(({ method, path, operation }) => requestOf(method, path, operation))
}

function requestOf(method: string, path: string, operation: Operation): CollectionRequest {
  const bodies = examplesOf(operation.requestBody?.content)
  const isLogin = operation.operationId === 'logIn'
  return {
    name: operation.operationId,
    folder: operation.tags?.[0] ?? 'Others',
    method,
    path,
    docs: [`**${operation.summary}**`, operation.description].filter(Boolean).join('\n\n'),
    pathParameters: parametersOf(operation, 'path').map((each) => ({
      name: each.name,
      value: startValue(each),
      docs: each.description ?? '',
    })),
    queryParameters: parametersOf(operation, 'query').map((each) => ({
      name: each.name,
      value: startValue(each),
      docs: each.description ?? '',
      isRequired: each.required === true,
    })),
    bodies: isLogin ? bodies.map(withVariables) : bodies,
    answers: Object.entries(operation.responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([status, response]) =>
        examplesOf((response as { content?: Content }).content).map((each) => ({
          ...each,
          status: Number(status),
        })),
      ),
    isOpen: operation.security?.length === 0,
    isLogin,
  }
}

type Content = Record<string, { example?: unknown; examples?: Record<string, { value?: unknown }> }>

function examplesOf(content: unknown): { name: string; value: unknown }[] {
  const [media] = Object.values((content ?? {}) as Content)
  if (media?.example !== undefined) return [{ name: 'example', value: media.example }]
  return Object.entries(media?.examples ?? {}).map(([name, { value }]) => ({ name, value }))
}

/** The person logs in with an own e-mail and password. */
function withVariables({ name, value }: { name: string; value: unknown }) {
  return { name, value: { ...(value as object), email: '{{email}}', password: '{{password}}' } }
}

/** What a parameter has as its example, or without it by default. */
function startValue({ schema, ...parameter }: Parameter): string {
  const { examples, default: usual, enum: words } = schema as Record<string, unknown>
  const [first] = [
    (parameter as { example?: unknown }).example,
    ...(Array.isArray(examples) ? examples : []),
    usual,
    ...(Array.isArray(words) ? words : []),
  ].filter((each) => each !== undefined && each !== '')
  return first === undefined ? '' : String(first)
}
