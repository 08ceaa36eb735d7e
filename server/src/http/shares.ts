import { setTimeout as sleep } from 'node:timers/promises'
import { tooManyRequests } from './errors.ts'

/** Gives the share back, once; `rest` milliseconds later, where others are to come first. */
export type GiveBack = (rest?: number) => void

/** Waits for the share of `key`; `signal` ends the wait. */
export type TakeShare = (key: number, signal: AbortSignal) => Promise<GiveBack>

/**
 * One at a time for each key, `waiting` more in line, first come, first served, for at most
 * `patience` milliseconds. Throws a 429 for those beyond: their own requests are what they wait for.
 */
export function createShares({
  waiting,
  patience,
}: {
  waiting: number
  patience: number
}): TakeShare {
  /** Who waits, of keys whose share is taken. */
  const lines = new Map<number, Set<() => void>>()
  const pass = (key: number) => {
    const line = lines.get(key)
    const [next] = line ?? []
    if (!line || !next) return lines.delete(key)
    line.delete(next)
    return next()
  }
  const makeGiveBack = (key: number): GiveBack => {
    let isBack = false
    return (rest = 0) => {
      if (isBack) return
      isBack = true
      if (rest > 0) sleep(rest, undefined, { ref: false }).then(() => pass(key))
      else pass(key)
    }
  }
  return async (key, signal) => {
    const line = lines.get(key)
    if (!line) lines.set(key, new Set())
    else if (line.size >= waiting) throw tooManyRequests(1)
    else await wait(line, AbortSignal.any([signal, AbortSignal.timeout(patience)]))
    return makeGiveBack(key)
  }
}

function wait(line: Set<() => void>, end: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (end.aborted) return reject(tooManyRequests(1))
    const turn = () => {
      end.removeEventListener('abort', giveUp)
      resolve()
    }
    const giveUp = () => {
      line.delete(turn)
      reject(tooManyRequests(1))
    }
    end.addEventListener('abort', giveUp, { once: true })
    line.add(turn)
  })
}
