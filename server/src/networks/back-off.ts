/** The wait before the first repeat, and the longest; each wait is `factor` times the one before. */
export interface BackOff {
  firstMs: number
  longestMs: number
  /** 2 unless it is said otherwise. */
  factor?: number
}

/**
 * The wait after so many failures in a row, shortened by up to a fifth at random: clients that fail
 * together do not come back together.
 */
export function waitAfter({ firstMs, longestMs, factor = 2 }: BackOff, failures: number): number {
  const wait = Math.min(longestMs, firstMs * factor ** Math.max(0, failures - 1))
  return wait * (0.8 + Math.random() / 5)
}
