/**
 * Stops asking codecs that were ended again and again for taking too long: for a while their
 * frames are answered at once, then one more batch tells whether the codec has mended its ways.
 */
export interface Breaker {
  /** Milliseconds until the codec may run again, 0 when it may now. */
  pauseOf(codecId: string): number
  /** A call of the codec was ended; `points` says how badly (one ended thread counts for two). */
  noteFault(codecId: string, points: number): void
  noteSuccess(codecId: string): void
}

interface Record {
  points: number
  pause: number
  pausedUntil: number
}

const mostPoints = 3
/** What a good call makes up for: with one in ten ended for long, the codec is paused. */
const worthOfSuccess = 0.1
const firstPause = 10_000
const longestPause = 300_000
/** Codecs that are remembered; then the oldest ones are forgotten. */
const mostRecords = 10_000

/** `now` gives milliseconds that only go on. */
export function createBreaker(now: () => number): Breaker {
  const records = new Map<string, Record>()
  return {
    pauseOf: (codecId) => Math.max(0, (records.get(codecId)?.pausedUntil ?? 0) - now()),
    noteFault(codecId, points) {
      const record = records.get(codecId) ?? { points: 0, pause: firstPause, pausedUntil: 0 }
      records.set(codecId, record)
      record.points += points
      if (record.points >= mostPoints) {
        record.pausedUntil = now() + record.pause
        record.pause = Math.min(longestPause, record.pause * 2)
        // One more fault after the pause is enough for the next.
        record.points = mostPoints - 1
      }
      const [oldest] = records.keys()
      if (records.size > mostRecords && oldest !== undefined) records.delete(oldest)
    },
    noteSuccess(codecId) {
      const record = records.get(codecId)
      if (!record) return
      record.points -= worthOfSuccess
      if (record.points <= 0) records.delete(codecId)
    },
  }
}
