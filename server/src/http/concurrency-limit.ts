import { type HttpError, unavailable } from './errors.ts'

/** Runs `work` as soon as the limit allows it. */
type ConcurrencyLimit = <T>(work: () => Promise<T>) => Promise<T>

interface LimitSettings {
  /** Pieces of work that run at once. */
  atOnce: number
  /** Pieces of work that wait, first come, first served. */
  waiting: number
  /** The error for those beyond; 503 unless it says otherwise. */
  refuse?: () => HttpError
}

/** Limits how many pieces of work run at once. Those beyond are refused before anything is spent. */
export function createConcurrencyLimit({
  atOnce,
  waiting,
  refuse = () => unavailable(1),
}: LimitSettings): ConcurrencyLimit {
  const line: (() => void)[] = []
  let free = atOnce
  const enter = (): Promise<void> => {
    if (free > 0) {
      free -= 1
      return Promise.resolve()
    }
    if (line.length >= waiting) return Promise.reject(refuse())
    return new Promise((resolve) => line.push(resolve))
  }
  const leave = () => {
    const next = line.shift()
    if (next) next()
    else free += 1
  }
  return async (work) => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}

/** A concurrency limit of its own for each key. */
interface LimitPerKey {
  run<T>(key: number, work: () => Promise<T>): Promise<T>
  /** Pieces of work of the key that run or wait. */
  count(key: number): number
}

/** Keeps a limit for each key only while work of the key runs or waits. */
export function createLimitPerKey(settings: LimitSettings): LimitPerKey {
  const entries = new Map<number, { limit: ConcurrencyLimit; count: number }>()
  return {
    async run(key, work) {
      const entry = entries.get(key) ?? { limit: createConcurrencyLimit(settings), count: 0 }
      entries.set(key, entry)
      entry.count += 1
      try {
        return await entry.limit(work)
      } finally {
        entry.count -= 1
        if (entry.count === 0) entries.delete(key)
      }
    },
    count: (key) => entries.get(key)?.count ?? 0,
  }
}
