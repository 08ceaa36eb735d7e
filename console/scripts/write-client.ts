import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  answerOf,
  bodyOf,
  member,
  operationsOf,
  parametersOf,
  schemasText,
  typeOf,
} from '../../server/scripts/client-types.ts'
import { writePackageOperations } from '../../server/scripts/package-operations.ts'
import { writePythonOperations } from '../../server/scripts/python-operations.ts'
import type { Operation } from '../../server/src/http/openapi.ts'
import { referenceDocument } from '../../server/src/reference/reference-document.ts'
import { routes } from '../../server/src/routes.ts'

/**
 * Writes the types of all operations, from the service's OpenAPI document:
 * `console/src/api/generated.ts`, and the operations of the packages in `clients/`. The builds run it, so the files are not part of the repository.
 */

const document = referenceDocument(routes, { publicUrl: '', basePath: '/v1' })

function partOf(operation: Operation, place: 'path' | 'query'): string {
  const members = parametersOf(operation, place).map(({ name, required, schema }) =>
    member(name, required === true, typeOf(schema)),
  )
  return members.length === 0 ? 'undefined' : `{ ${members.join('; ')} }`
}

const operations = operationsOf(document).map(
  ({ method, path, operation }) => `  '${method} ${path}': {
    path: ${partOf(operation, 'path')}
    query: ${partOf(operation, 'query')}
    body: ${bodyOf(operation) ?? 'undefined'}
    answer: ${answerOf(operation)}
  }`,
)

const text = `// Made by "npm run client" from the service's OpenAPI document.
${schemasText(document)}
export interface Operations {
${operations.join('\n')}
}
`

const directory = join(import.meta.dirname, '../src/api')
await mkdir(directory, { recursive: true })
await writeFile(join(directory, 'generated.ts'), text)
await writePackageOperations(document, join(import.meta.dirname, '../../clients/typescript/src'))
await writePythonOperations(
  document,
  join(import.meta.dirname, '../../clients/python/src/lora_fleet_client'),
)
