import { z } from 'zod'
import type { AnyEndpoint } from './endpoint.ts'
import { largestInteger } from './fields.ts'
import { propertiesForClients, splitTypes } from './openapi-generators.ts'
import { paginatedList } from './pages.ts'
import { readingOf } from './unknown-members.ts'

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = Record<string, unknown>

/** Schemas by the name under which `components/schemas` lists them. */
export type Components = Map<string, JsonSchema>

export interface Parameter {
  name: string
  in: 'path' | 'query'
  required?: true
  description?: string
  schema: JsonSchema
  example?: string | number
}

/**
 * The JSON Schema of what a client sends (`input`) or gets (`output`). Schemas with an `id` in
 * their `.meta()` go to `components` and are referred to.
 */
export function writeSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  components: Components,
): JsonSchema {
  const { $schema, $defs, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    override(conversion) {
      simplify(conversion)
      const later = readingOf(conversion.zodSchema as unknown as z.ZodType)
      if (later) Object.assign(conversion.jsonSchema, writeSchema(later, io, components))
    },
  })
  for (const [id, definition] of Object.entries($defs ?? {})) {
    addComponent(components, id, pointToComponents(definition) as JsonSchema)
  }
  return pointToComponents(rest) as JsonSchema
}

function addComponent(components: Components, id: string, definition: JsonSchema) {
  const known = components.get(id)
  if (known && JSON.stringify(known) !== JSON.stringify(definition)) {
    throw new Error(`two different schemas have the id ${id}`)
  }
  components.set(id, definition)
}

/** The same JSON with references to the components instead of zod's `$defs`. */
function pointToComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToComponents)
  if (typeof value !== 'object' || value === null) return value
  // Zod's own methods on the result are not part of the schema.
  const entries = Object.entries(splitTypes(value as JsonSchema)).filter(
    ([key]) => key !== '~standard',
  )
  return Object.fromEntries(
    entries.map(([key, inner]) => {
      if (key === '$ref' && typeof inner === 'string') {
        return [key, inner.replace('#/$defs/', '#/components/schemas/')]
      }
      return [
        key,
        pointToComponents(
          key === 'properties' ? propertiesForClients(inner as Record<string, JsonSchema>) : inner,
        ),
      ]
    }),
  )
}

interface Conversion {
  zodSchema: z.core.$ZodTypes
  jsonSchema: z.core.JSONSchema.BaseSchema
}

/** Removes what tells a reader nothing, and adds what zod cannot know about a transform. */
function simplify({ zodSchema, jsonSchema }: Conversion): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === -largestInteger && jsonSchema.maximum === largestInteger) {
    delete jsonSchema.minimum
    delete jsonSchema.maximum
    jsonSchema.format = 'int32'
  }
  // Records may gain members later; clients must accept that.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  delete jsonSchema.propertyNames
  // Zod drops them at a transform, because they describe its input.
  const { default: fallback, examples } = z.globalRegistry.get(zodSchema) ?? {}
  if (Array.isArray(examples)) jsonSchema.examples = examples
  // Generators make a list of words of it.
  if (typeof jsonSchema.const === 'boolean') {
    jsonSchema.examples ??= [jsonSchema.const]
    delete jsonSchema.const
  }
  const { def } = zodSchema._zod
  if (def.type !== 'pipe') return
  if (fallback !== undefined) jsonSchema.default = fallback as z.core.JSONSchema._JSONSchema
  // A word in any case: the end of the pipe knows the words.
  const words = def.out instanceof z.ZodEnum ? def.out.options : undefined
  if (words === undefined) return
  delete jsonSchema.minLength
  delete jsonSchema.maxLength
  jsonSchema.enum = words
}

type Examples = Record<string, { value: unknown }>

/** The examples of a request body: the endpoint's own, or one composed from the fields. */
export function bodyExamples<S>(
  endpoint: AnyEndpoint<S>,
  schema: JsonSchema,
  components: Components,
): { examples?: Examples } {
  return (
    ownExamples(endpoint, 'body') ?? { ...composed(schema, (each) => exampleOf(each, components)) }
  )
}

/** The address of a list and its query parameters. */
export interface ListPlace {
  /** Absolute URL without a query. */
  address: string
  parameters: readonly Parameter[]
}

/** The examples of a success, one for each of its forms. */
export function answerExamples<S>(
  endpoint: AnyEndpoint<S>,
  schema: JsonSchema,
  components: Components,
  place: ListPlace,
): { examples?: Examples } {
  const compose = (each: JsonSchema) =>
    isPaginated(each) ? examplePage(each, components, place) : exampleOf(each, components)
  return ownExamples(endpoint, 'answer') ?? composed(schema, compose)
}

function ownExamples<S>(endpoint: AnyEndpoint<S>, part: 'body' | 'answer') {
  const given = (endpoint.examples ?? []).filter((example) => example[part] !== undefined)
  if (given.length === 0) return undefined
  return { examples: Object.fromEntries(given.map((each) => [each.name, { value: each[part] }])) }
}

/** Alternatives are named by their titles. */
function composed(schema: JsonSchema, compose: (schema: JsonSchema) => unknown) {
  const forms = Array.isArray(schema.anyOf) ? (schema.anyOf as JsonSchema[]) : [schema]
  const examples: Examples = {}
  for (const [index, form] of forms.entries()) {
    const value = compose(form)
    const name = typeof form.title === 'string' ? form.title : `example ${index + 1}`
    if (value !== undefined) examples[forms.length === 1 ? 'example' : name] = { value }
  }
  return Object.keys(examples).length > 0 ? { examples } : {}
}

function isPaginated({ properties }: JsonSchema): boolean {
  const { meta } = (properties ?? {}) as Record<string, JsonSchema>
  return meta?.$ref === '#/components/schemas/PageMeta'
}

/** The first page of a list with one record, at the list's own address. */
function examplePage(
  { properties }: JsonSchema,
  components: Components,
  { address, parameters }: ListPlace,
) {
  const data = exampleOf((properties as Record<string, JsonSchema>).data ?? {}, components)
  if (!Array.isArray(data)) return undefined
  const defaults = parameters.flatMap(({ name, schema }) =>
    schema.default === undefined ? [] : [[name, schema.default]],
  )
  const payload = Object.fromEntries(defaults) as Record<string, unknown>
  const page = { number: 1, size: 10, perPage: 10 }
  return paginatedList(data, data.length, page, { request: { address, sentQuery: {} }, payload })
}

/**
 * The example of a schema from `writeSchema`: its own, or one composed from its parts. Optional
 * members are included when they have an example. Undefined when a required part has none.
 */
export function exampleOf(schema: JsonSchema, components: Components): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (typeof schema.$ref === 'string')
    return exampleOf(resolve(schema.$ref, components), components)
  if (Array.isArray(schema.anyOf)) {
    return schema.anyOf
      .filter((each: JsonSchema) => each.type !== 'null')
      .map((each: JsonSchema) => exampleOf(each, components))
      .find((example) => example !== undefined)
  }
  if (schema.type === 'null') return null
  if (schema.type === 'array') {
    const item = exampleOf(schema.items as JsonSchema, components)
    return item === undefined ? undefined : [item]
  }
  return schema.type === 'object' ? exampleOfObject(schema, components) : undefined
}

function exampleOfObject(schema: JsonSchema, components: Components) {
  if (!schema.properties) return undefined
  const required = new Set((schema.required ?? []) as string[])
  const example: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(schema.properties)) {
    const value = exampleOf(property, components)
    if (value !== undefined) example[name] = value
    else if (required.has(name)) return undefined
  }
  return example
}

/** The component of a reference. */
export function resolve($ref: string, components: Components): JsonSchema {
  return components.get($ref.replace('#/components/schemas/', '')) ?? {}
}

const warnings = {
  type: 'array',
  items: { type: 'string' },
  description: 'What was taken in another way than sent, such as unknown members of the body.',
}

/** The schema of an answer that may have `warnings`. */
export function withWarnings(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: schema.anyOf.map(withWarnings) }
  const properties = schema.properties as JsonSchema | undefined
  return { ...schema, properties: { ...properties, warnings } }
}
