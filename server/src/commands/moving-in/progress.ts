/** Tells how far long work is, a line at most every second. */
export interface Progress {
  /** `what`: in the past, as `registered`. */
  count(what: string, done: number, total?: number): void
  tell(line: string): void
}

export function createProgress(tell: (line: string) => void): Progress {
  let last = 0
  return {
    tell,
    count(what, done, total = Infinity) {
      const now = performance.now()
      if (done < total && now - last < 1000) return
      last = now
      tell(total === Infinity ? `${what}: ${done}` : `${what}: ${done} of ${total}`)
    },
  }
}
