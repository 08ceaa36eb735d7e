import type { AnyEndpoint } from './endpoint.ts'
import {
  type Components,
  type JsonSchema,
  type Parameter,
  resolve,
  writeSchema,
} from './openapi-schemas.ts'

/** The path parameters of a URL of the table (`/devices/:device_id`). */
export function pathParameters<S>(url: string, endpoint: AnyEndpoint<S>, schemas: Components) {
  const properties = endpoint.params ? readMembers(endpoint.params, schemas).properties : {}
  const names = [...url.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
  const stray = Object.keys(properties).filter((name) => !names.includes(name))
  if (stray.length > 0) throw new Error(`${url} has no parameter ${stray.join(', ')}`)
  return names.map((name): Parameter => {
    const schema = properties[name] ?? { type: 'string' }
    const example = firstExample(endpoint, 'params', name)
    // An empty segment makes another URL.
    return { ...parameter(name, 'path', { minLength: 1, ...schema }, example), required: true }
  })
}

export function queryParameters<S>(endpoint: AnyEndpoint<S>, schemas: Components): Parameter[] {
  if (!endpoint.query) return []
  const { properties, required } = readMembers(endpoint.query, schemas)
  return Object.entries(properties).map(([name, schema]) => ({
    ...parameter(name, 'query', schema, firstExample(endpoint, 'query', name)),
    ...(required.includes(name) ? { required: true as const } : {}),
  }))
}

function parameter(
  name: string,
  place: Parameter['in'],
  { description, examples, ...schema }: JsonSchema,
  given: string | undefined,
): Parameter {
  const example = given ?? (Array.isArray(examples) ? (examples[0] as string) : undefined)
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

/** The members of an object schema, as sent. */
export function readMembers(schema: Parameters<typeof writeSchema>[0], schemas: Components) {
  const written = writeSchema(schema, 'input', schemas)
  const { properties, required } =
    typeof written.$ref === 'string' ? resolve(written.$ref, schemas) : written
  return {
    properties: (properties ?? {}) as Record<string, JsonSchema>,
    required: (required ?? []) as string[],
  }
}
