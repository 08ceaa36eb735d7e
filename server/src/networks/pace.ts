import { NetworkError } from './network-error.ts'

/** How quickly all processes together may call an account's network. */
export interface Pace {
  /** Resolves when the next call may be made. Throws `slow_down` if the wait would be long. */
  wait(): Promise<void>
  /** Slows down after a call that the network turned away; `began` is its start by `now`. */
  slowDown(error: NetworkError, began: number): Promise<void>
  /** In milliseconds. */
  now(): number
}

/** After this many answers in a row the call is left to its next attempt. */
const mostAnswers = 3

/** Makes a call at the account's pace, and repeats it when the network asks to slow down. */
export async function callInPace<Result>(
  pace: Pace | undefined,
  call: () => Promise<Result>,
): Promise<Result> {
  if (!pace) return call()
  for (let answers = 1; ; answers += 1) {
    await pace.wait()
    const began = pace.now()
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof NetworkError) || error.kind !== 'slow_down') throw error
      await pace.slowDown(error, began)
      if (answers === mostAnswers || !error.isUndone) throw error
    }
  }
}
