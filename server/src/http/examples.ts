import type { z } from 'zod'
import type { Components, JsonSchema } from './openapi-schemas.ts'

/**
 * Examples of the API reference. They stand beside the fields, in the schemas: an example of a
 * record is put together from those of its fields, and so is that of every answer that holds it.
 */

/** The fields of an object, each with the value that examples show of it. */
export function withExamples<S extends z.ZodRawShape>(
  shape: S,
  values: { readonly [name in keyof S]?: z.input<S[name]> },
): S {
  const entries = Object.entries(shape).map(([name, field]) => {
    const schema = field as z.ZodType
    return [name, name in values ? schema.meta({ examples: [values[name]] }) : schema]
  })
  return Object.fromEntries(entries) as S
}

/**
 * An example of a schema as `writeSchema` gives it: its own, or one of its parts. Members that
 * need not be there are shown where they have an example. Undefined where something is missing.
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

/** The component that a reference points to. */
export function resolve($ref: string, components: Components): JsonSchema {
  return components.get($ref.replace('#/components/schemas/', '')) ?? {}
}
