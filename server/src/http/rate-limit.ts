/** What is left of a caller's allowance in the running minute. */
export interface Allowance {
  isAllowed: boolean
  remaining: number
  /** Seconds until the allowance is whole again. */
  resetSeconds: number
}

export type RateLimiter = (key: string, now: number) => Allowance

const windowMilliseconds = 60_000
/** More callers than this in one minute share no memory: the oldest are forgotten. */
const mostKeys = 100_000

/**
 * Counts requests per key in windows of a minute, in this process. `limit` 0 allows everything.
 */
export function createRateLimiter(limit: number): RateLimiter {
  const windows = new Map<string, { start: number; count: number }>()
  return (key, now) => {
    if (limit === 0)
      return { isAllowed: true, remaining: Number.POSITIVE_INFINITY, resetSeconds: 0 }
    let window = windows.get(key)
    if (!window || now - window.start >= windowMilliseconds) {
      window = { start: now, count: 0 }
      windows.delete(key)
      windows.set(key, window)
      if (windows.size > mostKeys) forgetOldest(windows)
    }
    window.count += 1
    return {
      isAllowed: window.count <= limit,
      remaining: Math.max(0, limit - window.count),
      resetSeconds: Math.ceil((window.start + windowMilliseconds - now) / 1000),
    }
  }
}

function forgetOldest(windows: Map<string, unknown>): void {
  const oldest = windows.keys().next()
  if (!oldest.done) windows.delete(oldest.value)
}
