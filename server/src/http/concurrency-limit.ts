import { type HttpError, unavailable } from './errors.ts'

/** Runs `work` as soon as the limit allows it. */
export type ConcurrencyLimit = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Lets `atOnce` pieces of work run and `waiting` more stand in line, first come, first served.
 * More callers than that are turned away with a 503, or what `refuse` makes, before anything is
 * spent on them.
 */
export function createConcurrencyLimit({
  atOnce,
  waiting,
  refuse = () => unavailable(1),
}: {
  atOnce: number
  waiting: number
  refuse?: () => HttpError
}): ConcurrencyLimit {
  const line: (() => void)[] = []
  let free = atOnce
  const takeSlot = (): Promise<void> => {
    if (free > 0) {
      free -= 1
      return Promise.resolve()
    }
    if (line.length >= waiting) return Promise.reject(refuse())
    return new Promise((resolve) => line.push(resolve))
  }
  const leaveSlot = () => {
    const next = line.shift()
    if (next) next()
    else free += 1
  }
  return async (work) => {
    await takeSlot()
    try {
      return await work()
    } finally {
      leaveSlot()
    }
  }
}
