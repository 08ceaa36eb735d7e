/**
 * Pauses subjects (a codec, an organization) whose calls were stopped again and again. After the
 * pause one more batch tells whether it goes better now.
 */
interface Breaker {
  /** Milliseconds until calls of the subject may run again, 0 when they may now. */
  pauseOf(subject: string): number
  /** A call was stopped; `points` says how badly (one ended thread counts for two). */
  noteFault(subject: string, points: number): void
  noteSuccess(subject: string): void
}

interface FaultRecord {
  points: number
  pause: number
  pausedUntil: number
}

/** What a good call makes up for: with more than one in ten stopped, the subject is paused. */
const worthOfSuccess = 0.1
const firstPause = 10_000
const longestPause = 300_000
/** Subjects that are remembered; then the oldest ones are forgotten. */
const mostRecords = 10_000

/** `now` gives milliseconds that only go on; at `mostPoints` a subject is paused. */
export function createBreaker(now: () => number, mostPoints: number): Breaker {
  const records = new Map<string, FaultRecord>()
  return {
    pauseOf: (subject) => Math.max(0, (records.get(subject)?.pausedUntil ?? 0) - now()),
    noteFault(subject, points) {
      const record = records.get(subject) ?? { points: 0, pause: firstPause, pausedUntil: 0 }
      records.set(subject, record)
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
    noteSuccess(subject) {
      const record = records.get(subject)
      if (!record) return
      record.points -= worthOfSuccess
      if (record.points <= 0) records.delete(subject)
    },
  }
}
