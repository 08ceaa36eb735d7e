/** What is kept of the details of an event, in bytes of their JSON. */
const mostBytes = 2048

/**
 * The details without the members that are too long, so that what is kept of a device stays small.
 * Those that come first have the first claim.
 */
export function boundDetails(details: Record<string, unknown>): Record<string, unknown> {
  let left = mostBytes
  const kept = Object.entries(details).filter(([name, value]) => {
    const size = Buffer.byteLength(JSON.stringify({ [name]: value }))
    if (size > left) return false
    left -= size
    return true
  })
  return Object.fromEntries(kept)
}

/** NUL and halves of surrogate pairs, as JSON writes them; a backslash before is written twice. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** Whether PostgreSQL has characters for all that the details say. */
export function isStorableJson(details: Record<string, unknown>): boolean {
  return !unstorable.test(JSON.stringify(details))
}
