import type { AnyEndpoint } from './endpoint.ts'
import { type Components, type JsonSchema, writeSchema } from './openapi-schemas.ts'

export interface Parameter {
  name: string
  in: 'path' | 'query'
  required?: true
  description?: string
  schema: JsonSchema
  example?: string | number
}

/** The parameters of a URL of the table (`/devices/:device_id`), each declared. */
export function pathParameters<S>(url: string, endpoint: AnyEndpoint<S>, schemas: Components) {
  const properties = endpoint.params ? readObject(endpoint.params, schemas).properties : {}
  const names = [...url.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
  const stray = Object.keys(properties).filter((name) => !names.includes(name))
  if (stray.length > 0) throw new Error(`${url} has no parameter ${stray.join(', ')}`)
  return names.map((name): Parameter => {
    const example = firstExample(endpoint, 'params', name)
    return {
      ...parameter(name, 'path', properties[name] ?? { type: 'string' }, example),
      required: true,
    }
  })
}

export function queryParameters<S>(endpoint: AnyEndpoint<S>, schemas: Components): Parameter[] {
  if (!endpoint.query) return []
  const { properties, required } = readObject(endpoint.query, schemas)
  return Object.entries(properties).map(([name, schema]) => ({
    ...parameter(name, 'query', schema, firstExample(endpoint, 'query', name)),
    ...(required.includes(name) ? { required: true as const } : {}),
  }))
}

function parameter(
  name: string,
  place: Parameter['in'],
  { description, ...schema }: JsonSchema,
  example: string | undefined,
): Parameter {
  return {
    name,
    in: place,
    ...(typeof description === 'string' ? { description } : {}),
    schema,
    ...(example === undefined
      ? {}
      : { example: schema.type === 'integer' ? Number(example) : example }),
  }
}

function firstExample<S>(endpoint: AnyEndpoint<S>, part: 'params' | 'query', name: string) {
  return endpoint.examples?.find((example) => example[part]?.[name] !== undefined)?.[part]?.[name]
}

/** The members of an object schema as they are sent. */
export function readObject(schema: Parameters<typeof writeSchema>[0], schemas: Components) {
  const written = writeSchema(schema, 'input', schemas)
  const { properties, required } = written.$ref ? resolve(written, schemas) : written
  return {
    properties: (properties ?? {}) as Record<string, JsonSchema>,
    required: (required ?? []) as string[],
  }
}

function resolve({ $ref }: JsonSchema, schemas: Components): JsonSchema {
  return schemas.get(String($ref).replace('#/components/schemas/', '')) ?? {}
}
