import type { z } from 'zod'
import { type FieldErrors, invalid } from './errors.ts'

/** Reads `value` by `schema`, or throws the 422 that names every wrong field at once. */
export function validate<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (!result.success) throw invalid(fieldErrors(result.error))
  return result.data
}

/** The messages of a failed check by field; a nested field is named `outer.inner`. */
export function fieldErrors(error: z.ZodError): FieldErrors {
  const errors: FieldErrors = {}
  for (const issue of error.issues) {
    const field = issue.path.join('.') || 'body'
    errors[field] = [...(errors[field] ?? []), issue.message]
  }
  return errors
}
