/** What programs share that run for long and start much: faults/, soak/. */

/** Writes lines to stderr, each with the seconds since the beginning. */
export function createTeller(): (text: string) => void {
  const began = performance.now()
  return (text) => {
    const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(6)
    process.stderr.write(`${seconds} s  ${text}\n`)
  }
}

/** @throws Error for what is no number above 0 and up to `most`. */
export function readNumber(name: string, text: string, most: number): number {
  const number = Number(text)
  if (text.trim() !== '' && number > 0 && number <= most) return number
  throw new Error(`--${name} must be a number up to ${most}.`)
}

/** Ctrl-C ends the run only after everything is removed. */
export function untilInterrupted<T>(work: Promise<T>): Promise<T> {
  const { promise: interrupted, reject } = Promise.withResolvers<never>()
  const stop = () => reject(new Error('interrupted'))
  // A signal comes from the terminal and from npm, and the second must not end the clean-up.
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return Promise.race([work, interrupted])
}
