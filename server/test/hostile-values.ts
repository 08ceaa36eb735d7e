/** For tests with hostile messages: makes messages in which one member is changed. */

export type Json = Record<string, unknown>

/** The depth is large, but possible in JSON of 256 KiB. */
function nest(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = [value]
  return value
}

const numbers = [
  0,
  -1,
  0.5,
  2 ** 32,
  // The first integer that a JavaScript number can't hold exactly. It can't be read back from a
  // `bigint`.
  Number.MAX_SAFE_INTEGER + 2,
  1e11,
  -1e18,
  1e308,
]

const texts = [
  '',
  'NaN',
  '-1',
  '100000000000',
  'x'.repeat(5000),
  'a\u0000b',
  '\ud800',
  '1000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999Z',
  '2026-02-30T12:00:00Z',
]

const others = [null, true, {}, [], { a: '\u0000' }, nest(500)]

/** Every value that a test puts into a member of a message. */
export const hostileValues: readonly unknown[] = [...numbers, ...texts, ...others]

/** Returns the paths of all members, including lists and their first items. */
export function placesIn(message: unknown, place: readonly string[] = []): string[][] {
  if (typeof message !== 'object' || message === null) return []
  const names = Array.isArray(message) ? (message.length > 0 ? ['0'] : []) : Object.keys(message)
  return names.flatMap((name) => {
    const inner = [...place, name]
    return [inner, ...placesIn((message as Json)[name], inner)]
  })
}

/**
 * Returns a copy with another value at a path. If the value is undefined, the member is missing.
 */
export function changeAt(message: unknown, place: readonly string[], value: unknown): unknown {
  const copy = structuredClone(message)
  let node = copy as Json
  for (const name of place.slice(0, -1)) node = node[name] as Json
  node[place.at(-1) ?? ''] = value
  return copy
}

/** Names of members that distinguish a frame or a message of a network from the next one. */
const counterNames =
  /^(f_?cnt|f_?cnt_?up|f_?count|seqno|counter_up|packet_hash|deduplicationid|id)$/i

/** Returns a copy with a new number in each counter and id, so that it is no repetition. */
export function renumber(message: unknown, number: number): unknown {
  if (Array.isArray(message)) return message.map((item) => renumber(item, number))
  if (typeof message !== 'object' || message === null) return message
  return Object.fromEntries(
    Object.entries(message).map(([name, value]) => {
      if (!counterNames.test(name) || typeof value === 'object') {
        return [name, renumber(value, number)]
      }
      return [name, typeof value === 'number' ? number : String(number)]
    }),
  )
}
