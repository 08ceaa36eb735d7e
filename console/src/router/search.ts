/**
 * The query of the console's own addresses. All values are text there; a page declares what it reads
 * as `validateSearch: searchOf({ search: text, limit: integer, order: oneOf('asc', 'desc') })`.
 * What cannot be read is left out: an old or mistyped link still opens its page.
 */

type Reader<T> = (value: string) => T | undefined

export const text: Reader<string> = (value) => value || undefined

export const integer: Reader<number> = (value) =>
  /^\d{1,15}$/.test(value) ? Number(value) : undefined

/** ISO 8601. */
export const time: Reader<string> = (value) => (Number.isNaN(Date.parse(value)) ? undefined : value)

export function oneOf<const T extends string>(...values: readonly T[]): Reader<T> {
  return (value) => values.find((known) => known === value)
}

type Read<S extends Record<string, Reader<unknown>>> = {
  [K in keyof S]?: Exclude<ReturnType<S[K]>, undefined> | undefined
}

export function searchOf<S extends Record<string, Reader<unknown>>>(readers: S) {
  return (search: Record<string, unknown>): Read<S> => {
    const read: Record<string, unknown> = {}
    for (const [name, reader] of Object.entries(readers)) {
      const value = search[name]
      if (value === undefined || value === null) continue
      const known = reader(String(value))
      if (known !== undefined) read[name] = known
    }
    return read as Read<S>
  }
}

export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search))
}

export function stringifySearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== '') parameters.set(name, String(value))
  }
  const written = parameters.toString()
  return written ? `?${written}` : ''
}
