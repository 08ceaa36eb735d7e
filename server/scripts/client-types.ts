import type { OpenApiDocument, Operation } from '../src/http/openapi.ts'
import type { JsonSchema, Parameter } from '../src/http/openapi-schemas.ts'

/*
 * TypeScript types from the service's OpenAPI document, for the console and for the package
 * `lora-fleet-client`. No published generator is used: they need the compiler API of TypeScript,
 * which TypeScript 7 does not have.
 */

export function typeOf(schema: JsonSchema | undefined): string {
  if (!schema) return 'unknown'
  if (typeof schema.$ref === 'string') return `Schemas['${schema.$ref.split('/').at(-1)}']`
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum))
    return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) return union(choices.map(typeOf))
  if (Array.isArray(schema.allOf)) return schema.allOf.map(typeOf).join(' & ')
  if (Array.isArray(schema.type))
    return union(schema.type.map((type) => typeOf({ ...schema, type })))
  return typeOfKind(schema)
}

function typeOfKind(schema: JsonSchema): string {
  switch (schema.type) {
    case 'string':
      return 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'array':
      return typeOfArray(schema)
    case 'object':
      return typeOfObject(schema)
    default:
      return 'unknown'
  }
}

function typeOfArray(schema: JsonSchema): string {
  if (Array.isArray(schema.prefixItems)) return `[${schema.prefixItems.map(typeOf).join(', ')}]`
  return `(${typeOf(schema.items as JsonSchema | undefined)})[]`
}

function typeOfObject(schema: JsonSchema): string {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  const required = new Set((schema.required ?? []) as string[])
  const members = properties.map(([name, type]) => member(name, required.has(name), typeOf(type)))
  const further = schema.additionalProperties
  if (properties.length === 0) {
    return `Record<string, ${typeof further === 'object' ? typeOf(further as JsonSchema) : 'unknown'}>`
  }
  return `{ ${members.join('; ')} }`
}

/** A member of a type. One that may be absent may be undefined too. */
export function member(name: string, isRequired: boolean, type: string): string {
  const key = JSON.stringify(name)
  return isRequired ? `${key}: ${type}` : `${key}?: ${type} | undefined`
}

function union(types: string[]): string {
  return [...new Set(types)].join(' | ') || 'never'
}

/** The parameters that an operation has itself, in its path or query. */
export function parametersOf({ parameters = [] }: Operation, place: Parameter['in']): Parameter[] {
  return parameters.filter((each): each is Parameter => 'in' in each && each.in === place)
}

export function bodyOf({ requestBody }: Operation): string | undefined {
  const { 'application/json': json } = (requestBody?.content ?? {}) as Content
  return json?.schema ? typeOf(json.schema) : undefined
}

type Content = Record<string, { schema?: JsonSchema } | undefined>

/** What a success answers: text if it is not JSON. */
export function answerOf({ responses }: Operation): string {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return union(
    successes.map(([, response]) => {
      const { content } = response as { content?: Content }
      if (!content) return 'undefined'
      const json = content['application/json']
      return json ? typeOf(json.schema) : 'string'
    }),
  )
}

/** `interface Schemas`: the document's schemas by name. */
export function schemasText({ components }: OpenApiDocument): string {
  const lines = Object.entries(components.schemas ?? {}).map(
    ([name, schema]) => `  ${name}: ${typeOf(schema as JsonSchema)}`,
  )
  return `export interface Schemas {\n${lines.join('\n')}\n}\n`
}

/** Every operation with its method, in capitals, and its path. */
export function operationsOf({ paths }: OpenApiDocument) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
}
