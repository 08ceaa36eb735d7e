import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { OpenApiDocument } from '../src/http/openapi.ts'
import type { JsonSchema } from '../src/http/openapi-schemas.ts'

/** For tests: the OpenAPI document as a client reads it, by another library than wrote it. */

/** What is wrong with a value, by a schema of the document; empty when nothing is. */
type SchemaCheck = (schema: JsonSchema, value: unknown) => string

/** Reads schemas as JSON Schema of draft 2020-12, which OpenAPI 3.1 says they are. */
export function createSchemaCheck({ components }: OpenApiDocument): SchemaCheck {
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    allErrors: true,
    allowUnionTypes: true,
  })
  ajv.addVocabulary(['components'])
  // A JavaScript number of this format is checked by its range (OpenAPI 3.1.1, 4.4.2).
  ajv.addFormat('int32', { type: 'number', validate: (value) => (value | 0) === value })
  ajv.addFormat('date-time', (text: string) => !Number.isNaN(Date.parse(text)))
  const checks = new Map<JsonSchema, ValidateFunction>()
  return (schema, value) => {
    // References begin at the root of the document.
    const check = checks.get(schema) ?? ajv.compile({ ...schema, components })
    checks.set(schema, check)
    return check(value) ? '' : (check.errors ?? []).map(describe).join('; ')
  }
}

function describe({ instancePath, message }: ErrorObject): string {
  return `${instancePath || 'it'} ${message}`
}

/** The part of a document, or of an operation, that a reference of the document points to. */
export function resolveReference<T extends object>(
  document: OpenApiDocument,
  part: T | { $ref: string },
): T {
  if (!('$ref' in part)) return part
  const steps = part.$ref.split('/').slice(1)
  let found: unknown = document
  for (const step of steps) found = (found as Record<string, unknown>)[step]
  return found as T
}

/** What an answer or a request body is made of, by its media type. */
interface MediaType {
  schema: JsonSchema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

export interface Described {
  description?: string
  headers?: Record<string, { schema: JsonSchema }>
  content?: Record<string, MediaType>
}

/** All examples of a part, with a name for messages. */
export function examplesOf({ example, examples }: MediaType): [string, unknown][] {
  const named = Object.entries(examples ?? {}).map(([name, { value }]): [string, unknown] => [
    name,
    value,
  ])
  return example === undefined ? named : [['example', example], ...named]
}
