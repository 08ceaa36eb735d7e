import type { z } from 'zod'

/**
 * Examples of the API reference are next to the fields, in the schemas. The example of a record is
 * composed from those of its fields, and that of an answer from those of its records.
 */

/** The fields of an object, each with an example value. */
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
