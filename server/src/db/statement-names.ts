/**
 * The server keeps every prepared statement in memory, once per connection. A text that varies by
 * mistake must not fill it: statements past this bound run unnamed, parsed every time.
 */
const maximumNames = 1000

const names = new Map<string, string>()

/** A name that stays the same for `text` as long as the process lives; undefined past the bound. */
export function statementName(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= maximumNames) return known
  const name = `s${names.size + 1}`
  names.set(text, name)
  return name
}
