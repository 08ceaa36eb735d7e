/**
 * Decides when the next batch begins. A transaction costs as much as some ten uplinks, so uplinks
 * that come steadily wait a few milliseconds for each other. An uplink that comes alone, or many
 * that are there already, do not wait.
 */
export interface BatchSpacing {
  /** Milliseconds until a batch may begin with so many uplinks. */
  timeUntilDue(waiting: number): number
  /** A batch of this size begins. */
  begin(size: number): void
}

/** Milliseconds from the beginning of a batch to that of the next. */
const usualSpacing = 8
/** So many uplinks share a commit well enough: they do not wait for more. */
const enough = 32
/**
 * After so many waits in a row that brought no second uplink, there is no wait for so many batches,
 * and for twice as many after each further one. A sender that waits for its answer before it sends
 * again is thus hardly slowed. At 300 a second at random, one wait in five brings nobody.
 */
const mostInVain = 4
const firstPause = 8
const longestPause = 256

export function createBatchSpacing(
  now: () => number = () => performance.now(),
  spacing = usualSpacing,
): BatchSpacing {
  let lastBegin = Number.NEGATIVE_INFINITY
  let hasWaited = false
  let inVain = 0
  let pause = firstPause
  let unwaited = 0
  return {
    timeUntilDue(waiting) {
      const left = lastBegin + spacing - now()
      if (left <= 0 || waiting >= enough || unwaited > 0) return 0
      hasWaited = true
      return left
    },
    begin(size) {
      lastBegin = now()
      if (unwaited > 0) unwaited -= 1
      if (!hasWaited) return
      hasWaited = false
      inVain = size < 2 ? inVain + 1 : 0
      if (inVain === 0) pause = firstPause
      if (inVain < mostInVain) return
      unwaited = pause
      pause = Math.min(pause * 2, longestPause)
    },
  }
}
