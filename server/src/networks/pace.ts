import { NetworkError } from './network-error.ts'

/** How quickly an account's network may be called, of all processes that call it. */
export interface Pace {
  /** Resolves when the next call may be made. Throws `slow_down` where that is not soon. */
  wait(): Promise<void>
  /** Takes from a call, begun at `began` by the clock of `now`, that the network wants fewer. */
  slowDown(error: NetworkError, began: number): Promise<void>
  /** In milliseconds. */
  now(): number
}

/** After so many answers in a row the call is left to its next attempt. */
const mostAnswers = 3

/** Makes a call at the account's pace, and again where the network wants it a moment later. */
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
