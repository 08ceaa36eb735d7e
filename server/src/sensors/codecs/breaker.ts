/**
 * A circuit breaker: pauses subjects (a codec, an organization tree) whose calls were stopped
 * repeatedly. The first batch after a pause decides whether the next pause follows.
 */
interface Breaker {
  /** Milliseconds until calls of the subject may run again; 0 when it is not paused. */
  pauseOf(subject: string): number
  /** Records a stopped call; a call that ended its thread counts for two points. */
  noteFault(subject: string, points: number): void
  noteSuccess(subject: string): void
}

interface FaultRecord {
  points: number
  pause: number
  pausedUntil: number
}

/** Points that a good call takes off: a subject is paused when more than one call in ten is stopped. */
const worthOfSuccess = 0.1
const firstPause = 10_000
const longestPause = 300_000
/** The most subjects that are remembered; the oldest ones are forgotten. */
const mostRecords = 10_000

/** `now` is a monotonic clock in milliseconds. A subject with `mostPoints` is paused. */
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
        // After the pause, one fault starts the next.
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
