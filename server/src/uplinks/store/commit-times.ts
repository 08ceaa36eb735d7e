/** Upper bounds of the buckets, in seconds. Networks wait 5 s for an answer. */
export const commitBounds: readonly number[] = [
  ...[0.002, 0.005, 0.01, 0.025, 0.05, 0.1],
  ...[0.25, 0.5, 1, 2.5, 5],
]

/** How long the batches of a process took, since its start. */
export interface CommitTimes {
  /** Batches that took at most so long, one number for each bound. */
  readonly counts: readonly number[]
  /** All batches, and their seconds together. */
  readonly count: number
  readonly seconds: number
}

/** Counts the times of batches. */
export function createCommitTimes(): { add(seconds: number): void; read(): CommitTimes } {
  const own = commitBounds.map(() => 0)
  let count = 0
  let total = 0
  return {
    add(seconds) {
      count += 1
      total += seconds
      const at = commitBounds.findIndex((bound) => seconds <= bound)
      if (at >= 0) own[at] = (own[at] ?? 0) + 1
    },
    read() {
      let sum = 0
      const counts = own.map((each) => {
        sum += each
        return sum
      })
      return { counts, count, seconds: total }
    },
  }
}
