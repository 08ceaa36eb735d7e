import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { referenceDocument } from '../../server/src/reference/reference-document.ts'
import { routes } from '../../server/src/routes.ts'

/**
 * Writes `console/src/api/generated.ts`: the types of all operations, from the service's OpenAPI
 * document. The build runs it, so the file is not part of the repository.
 *
 * No published generator is used: they need the compiler API of TypeScript, which TypeScript 7 does
 * not have.
 */

type Schema = Record<string, unknown>

const document = referenceDocument(routes, { publicUrl: '', basePath: '/v1' })

function typeOf(schema: Schema | undefined): string {
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

function typeOfKind(schema: Schema): string {
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

function typeOfArray(schema: Schema): string {
  if (Array.isArray(schema.prefixItems)) return `[${schema.prefixItems.map(typeOf).join(', ')}]`
  return `(${typeOf(schema.items as Schema | undefined)})[]`
}

function typeOfObject(schema: Schema): string {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  const required = new Set((schema.required ?? []) as string[])
  const members = properties.map(([name, member]) => {
    const isRequired = required.has(name)
    return `${JSON.stringify(name)}${isRequired ? '' : '?'}: ${typeOf(member)}${isRequired ? '' : ' | undefined'}`
  })
  const further = schema.additionalProperties
  if (properties.length === 0) {
    return `Record<string, ${typeof further === 'object' ? typeOf(further as Schema) : 'unknown'}>`
  }
  return `{ ${members.join('; ')} }`
}

function union(types: string[]): string {
  return [...new Set(types)].join(' | ') || 'never'
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Schema
}

function parametersOf(parameters: readonly Parameter[], place: string): string {
  const members = parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, required, schema }) => {
      const type = typeOf(schema)
      return `${JSON.stringify(name)}${required ? '' : '?'}: ${type}${required ? '' : ' | undefined'}`
    })
  return members.length === 0 ? 'undefined' : `{ ${members.join('; ')} }`
}

function bodyOf(body: unknown): string {
  const content = (body as { content?: Record<string, { schema?: Schema }> } | undefined)?.content
  const schema = content?.['application/json']?.schema
  return schema ? typeOf(schema) : 'undefined'
}

function answerOf(responses: Record<string, unknown>): string {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return union(
    successes.map(([, response]) => {
      const content = (response as { content?: Record<string, { schema?: Schema }> }).content
      if (!content) return 'undefined'
      const json = content['application/json']
      return json ? typeOf(json.schema) : 'string'
    }),
  )
}

const schemas = Object.entries(document.components.schemas ?? {}).map(
  ([name, schema]) => `  ${name}: ${typeOf(schema as Schema)}`,
)

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    const parameters = (operation.parameters ?? []).filter(
      (parameter): parameter is Parameter & typeof parameter => 'in' in parameter,
    ) as Parameter[]
    return `  '${method.toUpperCase()} ${path}': {
    path: ${parametersOf(parameters, 'path')}
    query: ${parametersOf(parameters, 'query')}
    body: ${bodyOf(operation.requestBody)}
    answer: ${answerOf(operation.responses)}
  }`
  }),
)

const text = `// Made by "npm run client" from the service's OpenAPI document.
export interface Schemas {
${schemas.join('\n')}
}

export interface Operations {
${operations.join('\n')}
}
`

const directory = join(import.meta.dirname, '../src/api')
await mkdir(directory, { recursive: true })
await writeFile(join(directory, 'generated.ts'), text)
