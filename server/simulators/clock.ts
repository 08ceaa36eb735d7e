/** The simulator's time, which a test can control. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls back once, after this many milliseconds. Returns a function that cancels the call. */
  after(milliseconds: number, callback: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds)
    return () => clearTimeout(timer)
  },
}

/** Resolves after this many milliseconds of the clock. */
export function sleep(clock: Clock, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(milliseconds, resolve)
  })
}
