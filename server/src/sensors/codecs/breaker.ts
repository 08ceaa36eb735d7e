/**
 * A circuit breaker: pauses codecs whose calls were stopped repeatedly, each only by its own faults.
 * The first batch after a pause decides whether the next pause follows.
 */
export interface Breaker {
  /** Milliseconds until the codec may run again; 0 when it is not paused. */
  pauseOf(codecId: string): number
  /** Records a stopped call; one that ended its thread has all points at once. */
  noteFault(codecId: string, points: number): void
  noteSuccess(codecId: string): void
}

interface FaultRecord {
  points: number
  pause: number
  pausedUntil: number
}

/** Points that pause a codec. */
export const mostPoints = 3
/** Points that a good call takes off: a codec is paused when more than one call in ten is stopped. */
const worthOfSuccess = 0.1
const firstPause = 10_000
const longestPause = 300_000
/** The most codecs that are remembered; the oldest ones are forgotten. */
const mostRecords = 10_000

/** `now` is a monotonic clock in milliseconds. */
export function createBreaker(now: () => number): Breaker {
  const records = new Map<string, FaultRecord>()
  return {
    pauseOf: (codecId) => Math.max(0, (records.get(codecId)?.pausedUntil ?? 0) - now()),
    noteFault(codecId, points) {
      const record = records.get(codecId) ?? { points: 0, pause: firstPause, pausedUntil: 0 }
      records.set(codecId, record)
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
    noteSuccess(codecId) {
      const record = records.get(codecId)
      if (!record) return
      record.points -= worthOfSuccess
      if (record.points <= 0) records.delete(codecId)
    },
  }
}
