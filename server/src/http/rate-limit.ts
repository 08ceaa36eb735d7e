/** The rest of a caller's allowance in the current minute. */
interface Allowance {
  isAllowed: boolean
  remaining: number
  /** Seconds until the allowance is full again. */
  resetSeconds: number
}

/** Requests of a caller in a minute that begins with the first of them. */
export interface RequestCount {
  key: string
  /** Milliseconds since 1970. */
  start: number
  count: number
}

/**
 * Adds the counts of this process to those of all, and returns the sums. When the minutes of a
 * caller differ between processes, the one that began earlier counts.
 */
type AddCounts = (counts: RequestCount[]) => Promise<RequestCount[]>

export interface RateLimiter {
  /** `most`: of this key; null for a tenant's usual share. Without it, the limit of a caller counts. */
  allow(key: string, now: number, most?: number | null): Allowance
  /** Exchanges the counts with the other processes. */
  share(add: AddCounts): Promise<void>
}

export const windowMilliseconds = 60_000
/** A tenant's usual limit, in those of a caller: at least as many callers have all of theirs. */
const callersOfTenant = 20
/** The most callers per minute; beyond that the oldest are dropped. */
const mostKeys = 100_000

interface Window {
  start: number
  /** Requests in all processes, as far as known. */
  count: number
  /** Requests that the other processes do not know yet. */
  unshared: number
}

/** Counts requests per key and minute. `limit` 0 allows everything. */
export function createRateLimiter(limit: number): RateLimiter {
  const windows = new Map<string, Window>()
  return {
    allow(key, now, given = limit) {
      const most = given ?? limit * callersOfTenant
      if (most === 0)
        return { isAllowed: true, remaining: Number.POSITIVE_INFINITY, resetSeconds: 0 }
      let window = windows.get(key)
      if (!window || now - window.start >= windowMilliseconds) {
        window = { start: now, count: 0, unshared: 0 }
        windows.delete(key)
        windows.set(key, window)
        if (windows.size > mostKeys) forgetOldest(windows)
      }
      window.count += 1
      window.unshared += 1
      return {
        isAllowed: window.count <= most,
        remaining: Math.max(0, most - window.count),
        resetSeconds: Math.ceil((window.start + windowMilliseconds - now) / 1000),
      }
    },
    async share(add) {
      const counted = [...windows].filter(([, { unshared }]) => unshared > 0)
      if (counted.length === 0) return
      const counts = counted.map(([key, { start, unshared }]) => ({ key, start, count: unshared }))
      const sent = new Map(
        counted.map(([key, window]) => [key, { window, count: window.unshared }]),
      )
      for (const { key, start, count } of await add(counts)) {
        const own = sent.get(key)
        if (!own) continue
        // A new minute may have begun meanwhile.
        const { window } = own
        window.unshared -= own.count
        window.start = start
        window.count = count + window.unshared
      }
    },
  }
}

function forgetOldest(windows: Map<string, unknown>): void {
  const oldest = windows.keys().next()
  if (!oldest.done) windows.delete(oldest.value)
}
