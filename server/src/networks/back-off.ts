/** The wait before the first repeat, and the longest; each wait is twice the one before. */
export interface BackOff {
  firstMs: number
  longestMs: number
}

/**
 * The wait after so many failures in a row, spread by a quarter so that clients don't march in
 * step.
 */
export function waitAfter({ firstMs, longestMs }: BackOff, failures: number): number {
  const wait = Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1))
  return wait * (0.75 + Math.random() / 4)
}
