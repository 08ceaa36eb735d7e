import { DatabaseUnavailable } from './errors.ts'

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Of one key at a time. */
const mostTogether = 64

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Does the same work for many callers in one transaction: what is asked for while it is under way
 * goes together into the next. `work` gives a result for each item, in their order, or throws and has
 * done nothing; then each item is tried alone, so that a bad one fails alone. Items of different
 * keys, organizations as a rule, never meet.
 */
export function doTogether<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  keyOf: (item: Item) => number,
): (item: Item) => Promise<Result> {
  const lines = new Map<number, Waiting<Item, Result>[]>()

  const run = async (batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await work(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      // Of a lost connection nobody knows whether the work was done.
      if (batch.length === 1 || error instanceof DatabaseUnavailable) {
        for (const { reject } of batch) reject(error)
      } else for (const one of batch) await run([one])
    }
  }
  const drain = async (key: number, line: Waiting<Item, Result>[]): Promise<void> => {
    while (line.length > 0) {
      // Not before the turn of the event loop is over: what came in with it goes along.
      await nextTurn()
      await run(line.splice(0, mostTogether))
    }
    lines.delete(key)
  }
  return (item) =>
    new Promise((resolve, reject) => {
      const key = keyOf(item)
      const line = lines.get(key)
      if (line) return void line.push({ item, resolve, reject })
      const fresh = [{ item, resolve, reject }]
      lines.set(key, fresh)
      void drain(key, fresh)
    })
}
