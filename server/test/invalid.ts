import assert from 'node:assert/strict'
import type { FieldErrors } from '../src/http/errors.ts'

/** Checks the body of a 422: its message and errors, with a code for each of them, and nothing else. */
export function assertInvalid(
  body: { error_codes: Record<string, string[]>; error_values: Record<string, unknown[]> },
  expected: { message: unknown; errors: FieldErrors },
): void {
  const { error_codes: codes, error_values: values, ...rest } = body
  assert.deepEqual(rest, expected)
  for (const [field, messages] of Object.entries(expected.errors)) {
    assert.equal(codes[field]?.length, messages.length, field)
    assert.equal(values[field]?.length, messages.length, field)
  }
  assert.deepEqual(Object.keys(codes), Object.keys(expected.errors))
}
