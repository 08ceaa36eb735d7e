import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { OpenApiDocument } from '../src/http/openapi.ts'
import type { JsonSchema } from '../src/http/openapi-schemas.ts'

/**
 * For tests: reads the OpenAPI document as a client does, with another library than the one that
 * wrote it.
 */

/** Returns the faults of a value by a schema of the document; empty if there are none. */
type SchemaCheck = (schema: JsonSchema, value: unknown) => string

/** Reads schemas as JSON Schema of draft 2020-12, as OpenAPI 3.1 requires. */
export function createSchemaCheck({ components }: OpenApiDocument): SchemaCheck {
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    allErrors: true,
    allowUnionTypes: true,
  })
  ajv.addVocabulary(['components', 'x-enum-varnames'])
  // The range of a JavaScript number of this format is checked (OpenAPI 3.1.1, 4.4.2).
  ajv.addFormat('int32', { type: 'number', validate: (value) => (value | 0) === value })
  ajv.addFormat('date-time', (text: string) => !Number.isNaN(Date.parse(text)))
  ajv.addSchema({ $id: 'document', components })
  const checks = new Map<JsonSchema, ValidateFunction>()
  /** A reference starts at the root of the document. */
  const inDocument = (schema: JsonSchema): JsonSchema =>
    JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/'))
  return (schema, value) => {
    const check = checks.get(schema) ?? ajv.compile(inDocument(schema))
    checks.set(schema, check)
    return check(value) ? '' : (check.errors ?? []).map(describe).join('; ')
  }
}

function describe({ instancePath, message }: ErrorObject): string {
  return `${instancePath || 'it'} ${message}`
}

/** Returns the part that a reference in the document points to. */
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

/** The content of an answer or a request body, by its media type. */
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

/** Returns all examples of a part. Each has a name for messages. */
export function examplesOf({ example, examples }: MediaType): [string, unknown][] {
  const named = Object.entries(examples ?? {}).map(([name, { value }]): [string, unknown] => [
    name,
    value,
  ])
  return example === undefined ? named : [['example', example], ...named]
}
