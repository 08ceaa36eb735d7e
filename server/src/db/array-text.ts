/** `{1,NULL,2}` (PostgreSQL, "Array Input and Output Syntax"). */
export function numberArray(values: readonly (number | undefined)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join()}}`
}

/**
 * `{"a \\"b\\"",NULL}`: quoted, with quotes and backslashes escaped. A text with half a surrogate
 * pair has no UTF-8. NUL is sent in its place, so that PostgreSQL refuses it (SQLSTATE 22021) instead
 * of storing another text.
 */
export function textArray(values: readonly (string | null | undefined)[]): string {
  return `{${values.map(quote).join()}}`
}

function quote(text: string | null | undefined): string {
  if (text === null || text === undefined) return 'NULL'
  if (!text.isWellFormed()) return '"\u0000"'
  const escaped = text.includes('\\') ? text.replaceAll('\\', '\\\\') : text
  return escaped.includes('"') ? `"${escaped.replaceAll('"', '\\"')}"` : `"${escaped}"`
}
