/** What was read lately, by key. The least used entries make room for new ones. */
export interface RecentlyRead<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  forget(key: string): void
}

/**
 * Keeps at most `most` entries, and at least the half of them that were used last. Two maps cost
 * less than an order of use.
 */
export function createRecentlyRead<Value>(most: number): RecentlyRead<Value> {
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()
  const set = (key: string, value: Value) => {
    if (young.size >= most / 2 && !young.has(key)) {
      old = young
      young = new Map()
    }
    young.set(key, value)
  }
  return {
    get(key) {
      const value = young.get(key)
      if (value !== undefined) return value
      const older = old.get(key)
      if (older !== undefined) set(key, older)
      return older
    },
    set,
    forget(key) {
      young.delete(key)
      old.delete(key)
    },
  }
}
