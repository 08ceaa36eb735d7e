import type { OpenApiDocument, Operation } from '../src/http/openapi.ts'
import type { JsonSchema } from '../src/http/openapi-schemas.ts'
import { operationsOf, parametersOf } from './client-types.ts'

/** What the packages of clients need to know of operations, whatever their language. */

/** The operations that clients call. */
export function clientOperations(document: OpenApiDocument) {
  // Networks call the others.
  return operationsOf(document).filter(({ path }) => !path.startsWith('/callbacks/'))
}

/** A GET that changes something, as a logout, is not sent again by itself. */
const acts: ReadonlySet<string> = new Set(['logOut', 'refreshToken'])

/**
 * Whether it may be sent again without knowing what became of the first one: it only reads; it carries
 * an `Idempotency-Key`; or never.
 */
export function repeatOf(method: string, { operationId, parameters = [] }: Operation) {
  if (method === 'GET') return acts.has(operationId) ? 'never' : 'safe'
  const takesKey = parameters.some(
    (each) => '$ref' in each && each.$ref === '#/components/parameters/IdempotencyKey',
  )
  return takesKey ? 'keyed' : 'never'
}

export function contentOf({ responses }: Operation): Record<string, { schema?: JsonSchema }> {
  return (responses[200] as { content?: Record<string, { schema?: JsonSchema }> })?.content ?? {}
}

export function isStream(operation: Operation): boolean {
  return 'text/event-stream' in contentOf(operation)
}

/** Whether it answers records, and takes the page or the place to begin at. */
export function hasPages(operation: Operation, document: OpenApiDocument): boolean {
  const query = parametersOf(operation, 'query').map(({ name }) => name)
  if (!query.includes('page') && !query.includes('after')) return false
  return hasRecords(contentOf(operation)['application/json']?.schema ?? {}, document)
}

function hasRecords(schema: JsonSchema, document: OpenApiDocument): boolean {
  const name = typeof schema.$ref === 'string' ? (schema.$ref.split('/').at(-1) ?? '') : undefined
  if (name) return hasRecords((document.components.schemas?.[name] ?? {}) as JsonSchema, document)
  if (Array.isArray(schema.anyOf)) return schema.anyOf.every((each) => hasRecords(each, document))
  const { data } = (schema.properties ?? {}) as Record<string, JsonSchema>
  return data?.type === 'array'
}
