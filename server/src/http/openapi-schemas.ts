import { z } from 'zod'
import { largestInteger } from './fields.ts'

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = Record<string, unknown>

/** Schemas by the name under which `components/schemas` lists them. */
export type Components = Map<string, JsonSchema>

/**
 * The JSON Schema of what a client sends (`input`) or gets (`output`). Schemas with an `id` in
 * their `.meta()` go to `components` and are referred to from there.
 */
export function writeSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  components: Components,
): JsonSchema {
  const { $schema, $defs, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    override: simplify,
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

/** The same JSON with references to zod's `$defs` turned into references to the components. */
function pointToComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToComponents)
  if (typeof value !== 'object' || value === null) return value
  // Methods that zod hangs on the result are no part of the schema.
  const entries = Object.entries(value).filter(([key]) => key !== '~standard')
  return Object.fromEntries(
    entries.map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string'
        ? [key, inner.replace('#/$defs/', '#/components/schemas/')]
        : [key, pointToComponents(inner)],
    ),
  )
}

interface Conversion {
  zodSchema: z.core.$ZodTypes
  jsonSchema: z.core.JSONSchema.BaseSchema
}

/** Takes out what says nothing to a reader, and puts in what zod cannot know of a transform. */
function simplify({ zodSchema, jsonSchema }: Conversion): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === -largestInteger && jsonSchema.maximum === largestInteger) {
    delete jsonSchema.minimum
    delete jsonSchema.maximum
    jsonSchema.format = 'int32'
  }
  // A record may gain members later, and a client must bear with that.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  delete jsonSchema.propertyNames
  // Zod drops them where there is a transform, as it takes them for its result.
  const { default: fallback, examples } = z.globalRegistry.get(zodSchema) ?? {}
  if (Array.isArray(examples)) jsonSchema.examples = examples
  const { def } = zodSchema._zod
  if (def.type !== 'pipe') return
  if (fallback !== undefined) jsonSchema.default = fallback as z.core.JSONSchema._JSONSchema
  // A word read in any case: the words are known from where the pipe ends.
  const words = def.out instanceof z.ZodEnum ? def.out.options : undefined
  if (words === undefined) return
  delete jsonSchema.minLength
  delete jsonSchema.maxLength
  jsonSchema.enum = words
}
