import { useCallback, useEffect, useReducer, useRef, useState } from 'react'

/** Rows from `first` to before `last`. */
export interface RowWindow {
  first: number
  last: number
}

/** Rows of one request. */
const pageSize = 100
/** Records that are kept, and printed; beyond it, those far from the window go. */
export const mostKept = 5000
/** Milliseconds for which the window has to rest: a long scroll asks for nothing on its way. */
const restTime = 80

interface Source<K, T> {
  /** The keys of all rows, in order. */
  keys: readonly K[]
  /** Reads some rows. Those that are gone are missing in the answer. */
  load: (keys: readonly K[], signal: AbortSignal) => Promise<ReadonlyMap<K, T>>
}

export interface Records<K, T> {
  at(index: number): T | undefined
  /** Whether the row was asked for and is not there any more. */
  isGone(index: number): boolean
  /** Reads the rows in sight again now, and the others when they are next in sight. */
  renew(): void
  /** Reads these rows again, as far as they are in sight. */
  refresh(keys: Iterable<K>): void
  error: unknown
}

interface Kept<T> {
  /** Undefined for a row that is gone. */
  row: T | undefined
  isOld: boolean
}

/**
 * Reads the records around the window of a table and keeps them by key, so that another order of
 * the same rows needs no request. Requests for rows that are out of sight are given up.
 */
export function useRecords<K, T>({ keys, load }: Source<K, T>, range: RowWindow): Records<K, T> {
  const kept = useRef(new Map<K, Kept<T>>())
  const asked = useRef(new Map<K, AbortController>())
  const [version, bump] = useReducer((count: number) => count + 1, 0)
  const [error, setError] = useState<unknown>()
  const { first, last } = range

  // biome-ignore lint/correctness/useExhaustiveDependencies: what became old is read again
  useEffect(() => {
    const near = keys.slice(pageBegin(first), pageBegin(last + pageSize - 1))
    giveUpFar(asked.current, new Set(near))
    const isMissing = (key: K) => !asked.current.has(key) && (kept.current.get(key)?.isOld ?? true)
    const missing = near.filter(isMissing)
    if (missing.length === 0) return
    const isFirst = kept.current.size === 0
    const timer = setTimeout(
      () => pagesOf(missing.filter(isMissing)).forEach(read),
      isFirst ? 0 : restTime,
    )
    return () => clearTimeout(timer)

    function read(wanted: readonly K[]) {
      const control = new AbortController()
      for (const key of wanted) asked.current.set(key, control)
      load(wanted, control.signal)
        .finally(() => forget(asked.current, wanted, control))
        .then((rows) => {
          setError(undefined)
          keep(wanted, rows)
        })
        .catch((problem: unknown) => {
          if (!control.signal.aborted) setError(problem)
        })
    }

    function keep(loaded: readonly K[], rows: ReadonlyMap<K, T>) {
      for (const key of loaded) kept.current.set(key, { row: rows.get(key), isOld: false })
      if (kept.current.size > mostKept) dropFar(kept.current, new Set(near))
      bump()
    }
  }, [keys, load, first, last, version])

  useEffect(() => {
    const requests = asked.current
    return () => giveUpFar(requests, new Set())
  }, [])

  const markOld = useCallback((some?: Iterable<K>) => {
    for (const key of some ?? kept.current.keys()) {
      const known = kept.current.get(key)
      if (known) known.isOld = true
    }
    bump()
  }, [])
  const renew = useCallback(() => {
    setError(undefined)
    markOld()
  }, [markOld])
  return {
    at: (index) => {
      const key = keys[index]
      return key === undefined ? undefined : kept.current.get(key)?.row
    },
    isGone: (index) => {
      const known = kept.current.get(keys[index] as K)
      return known !== undefined && known.row === undefined
    },
    renew,
    refresh: markOld,
    error,
  }
}

function pagesOf<K>(keys: readonly K[]): K[][] {
  const count = Math.ceil(keys.length / pageSize)
  return Array.from({ length: count }, (_, page) =>
    keys.slice(page * pageSize, (page + 1) * pageSize),
  )
}

function pageBegin(index: number): number {
  return Math.floor(index / pageSize) * pageSize
}

function giveUpFar<K>(asked: Map<K, AbortController>, near: ReadonlySet<K>): void {
  const needed = new Set([...asked].filter(([key]) => near.has(key)).map(([, control]) => control))
  for (const [key, control] of asked) {
    if (needed.has(control)) continue
    control.abort()
    asked.delete(key)
  }
}

function forget<K>(asked: Map<K, AbortController>, keys: readonly K[], control: AbortController) {
  for (const key of keys) if (asked.get(key) === control) asked.delete(key)
}

function dropFar<K, T>(kept: Map<K, Kept<T>>, near: ReadonlySet<K>): void {
  for (const key of kept.keys()) if (!near.has(key)) kept.delete(key)
}
