import { useMemo, useReducer, useRef } from 'react'

export type RowKey = string | number

/** Chosen rows, by key. The object is another one after each change. */
export interface Selection {
  readonly size: number
  has(key: RowKey): boolean
  keys(): RowKey[]
  set(keys: Iterable<RowKey>, isChosen: boolean): void
  clear(): void
}

/** A set that is changed in place: copying 100,000 keys for each click would be felt. */
export function useSelection(): Selection {
  const chosen = useRef(new Set<RowKey>())
  const [version, renew] = useReducer((count: number) => count + 1, 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change makes another object
  return useMemo(
    () => ({
      size: chosen.current.size,
      has: (key) => chosen.current.has(key),
      keys: () => [...chosen.current],
      set: (keys, isChosen) => {
        for (const key of keys) {
          if (isChosen) chosen.current.add(key)
          else chosen.current.delete(key)
        }
        renew()
      },
      clear: () => {
        if (chosen.current.size === 0) return
        chosen.current.clear()
        renew()
      },
    }),
    [version],
  )
}
