import { unavailable } from '../../http/errors.ts'

/** Runs `work` when one of the slots is free. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Lets `atOnce` pieces of work run and `waiting` more stand in line, first come, first served.
 * More callers than that are turned away with a 503, before anything is spent on them.
 */
export function createSlots({ atOnce, waiting }: { atOnce: number; waiting: number }): Slots {
  const line: (() => void)[] = []
  let free = atOnce
  const takeSlot = (): Promise<void> => {
    if (free > 0) {
      free -= 1
      return Promise.resolve()
    }
    if (line.length >= waiting) return Promise.reject(unavailable(1))
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
