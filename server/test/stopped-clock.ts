import type { Clock } from '../simulators/clock.ts'

/** A clock that moves only when a test moves it. */
export function createStoppedClock(start = Date.UTC(2026, 0, 1)) {
  let now = start
  const timers = new Set<{ at: number; callback: () => void }>()
  const clock: Clock = {
    now: () => now,
    after: (milliseconds, callback) => {
      const timer = { at: now + milliseconds, callback }
      timers.add(timer)
      return () => timers.delete(timer)
    },
  }
  /** Moves to the next timer and runs it. */
  const ring = () => {
    const [next] = [...timers].sort((a, b) => a.at - b.at)
    if (!next) return false
    timers.delete(next)
    now = next.at
    next.callback()
    return true
  }
  const move = (milliseconds: number) => {
    now += milliseconds
  }
  return { clock, ring, move }
}
