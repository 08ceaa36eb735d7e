import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenApiDocument, Operation } from '../src/http/openapi.ts'
import type { JsonSchema } from '../src/http/openapi-schemas.ts'
import {
  answerOf,
  bodyOf,
  member,
  operationsOf,
  parametersOf,
  schemasText,
  typeOf,
} from './client-types.ts'

/** Writes `operations.ts` of `clients/typescript`: the types of all operations, and their table. */
export async function writePackageOperations(
  document: OpenApiDocument,
  folder: string,
): Promise<void> {
  // Networks call the others.
  const all = operationsOf(document).filter(({ path }) => !path.startsWith('/callbacks/'))
  const types = all.map(({ method, operation }) => {
    const isList = method === 'GET' && hasPages(operation, document)
    return `  /** ${operation.summary} */
  ${operation.operationId}: {
    input: ${inputOf(operation)}
    answer: ${isStream(operation) ? 'Response' : answerOf(operation)}
    isList: ${isList}
  }`
  })
  const lines = all.map(({ method, path, operation }) => {
    const parts = [
      `method: '${method}'`,
      `path: '${path}'`,
      `repeat: '${repeatOf(method, operation)}'`,
    ]
    if (isStream(operation)) parts.push('isStream: true')
    return `  ${operation.operationId}: { ${parts.join(', ')} },`
  })
  const text = `// Made by "npm run client" from the service's OpenAPI document.
${schemasText(document)}
export interface Operations {
${types.join('\n')}
}

/** How each operation is called. */
export const operations = {
${lines.join('\n')}
} as const
`
  await writeFile(join(folder, 'operations.ts'), text)
}

/** Parameters of path and query side by side, and the body as \`body\`. */
function inputOf(operation: Operation): string {
  const parameters = [...parametersOf(operation, 'path'), ...parametersOf(operation, 'query')]
  const names = new Set([...parameters.map(({ name }) => name), 'body'])
  if (names.size <= parameters.length) {
    throw new Error(`${operation.operationId} has two parameters of one name, or one named body`)
  }
  const members = parameters.map(({ name, required, schema }) => {
    // An id is a number in every answer.
    const isId = schema.type === 'string' && name.endsWith('id')
    return member(name, required === true, isId ? 'string | number' : typeOf(schema))
  })
  const body = bodyOf(operation)
  if (body) members.push(member('body', operation.requestBody?.required === true, body))
  return members.length === 0 ? 'Record<never, never>' : `{ ${members.join('; ')} }`
}

/** A GET that changes something, as a logout, is not sent again by itself. */
const acts: ReadonlySet<string> = new Set(['logOut', 'refreshToken'])

function repeatOf(method: string, { operationId, parameters = [] }: Operation) {
  if (method === 'GET') return acts.has(operationId) ? 'never' : 'safe'
  const takesKey = parameters.some(
    (each) => '$ref' in each && each.$ref === '#/components/parameters/IdempotencyKey',
  )
  return takesKey ? 'keyed' : 'never'
}

function contentOf({ responses }: Operation): Record<string, { schema?: JsonSchema }> {
  return (responses[200] as { content?: Record<string, { schema?: JsonSchema }> })?.content ?? {}
}

function isStream(operation: Operation): boolean {
  return 'text/event-stream' in contentOf(operation)
}

/** Whether it answers records, and takes the page or the place to begin at. */
function hasPages(operation: Operation, document: OpenApiDocument): boolean {
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
