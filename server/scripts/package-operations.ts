import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenApiDocument, Operation } from '../src/http/openapi.ts'
import { answerOf, bodyOf, member, parametersOf, schemasText, typeOf } from './client-types.ts'
import { clientOperations, hasPages, isStream, repeatOf } from './operation-kinds.ts'

/** Writes `operations.ts` of `clients/typescript`: the types of all operations, and their table. */
export async function writePackageOperations(
  document: OpenApiDocument,
  folder: string,
): Promise<void> {
  const all = clientOperations(document)
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
