import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseUnavailable, isPassing } from './errors.ts'

/** Milliseconds before the first repetition, doubled each time up to the longest. */
const firstWait = 20
const longestWait = 250

/**
 * Repeats `work` while it fails for a temporary reason, until `deadline`, a time of
 * `performance.now()`. `work` must be repeatable: a failed commit may have happened.
 *
 * @throws DatabaseUnavailable when the deadline has passed; errors that are not temporary at once.
 */
export async function outlast<T>(
  deadline: number,
  work: () => Promise<T>,
  passes: (error: unknown) => boolean = isPassing,
): Promise<T> {
  for (let wait = firstWait; ; wait = Math.min(wait * 2, longestWait)) {
    try {
      return await work()
    } catch (error) {
      if (!passes(error)) throw error
      const left = deadline - performance.now()
      if (left <= 0) throw asUnavailable(error)
      await sleep(Math.min(wait, left))
    }
  }
}

/**
 * Does the same, and also rejects at the deadline while `work` hangs: for a sender that waits for the
 * answer. What `work` does afterwards is done, and told to nobody.
 */
export function outlastInTime<T>(deadline: number, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new DatabaseUnavailable('it did not answer in time'))
    const timer = setTimeout(giveUp, Math.max(0, deadline - performance.now()))
    outlast(deadline, work)
      .finally(() => clearTimeout(timer))
      .then(resolve, reject)
  })
}

function asUnavailable(error: unknown): DatabaseUnavailable {
  if (error instanceof DatabaseUnavailable) return error
  return new DatabaseUnavailable('a statement was given up again and again', { cause: error })
}

/** Resolves when the work is settled, or after this many milliseconds. */
export async function settleWithin(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
