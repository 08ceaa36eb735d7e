import type { z } from 'zod'

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
