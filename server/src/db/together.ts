import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseUnavailable } from './errors.ts'

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/**
 * Turns a query for many keys into a look-up of one key. Look-ups made during a query are combined
 * into the next, so a thousand callers at once cost a handful of queries. Nothing is cached between
 * queries: results are as fresh as those of a query of their own.
 */
export function lookUpTogether<Row>(
  queryMany: (keys: string[]) => Promise<Row[]>,
  keyOf: (row: Row) => string,
): (key: string) => Promise<Row | undefined> {
  let next: { keys: Set<string>; rows: Promise<Map<string, Row>> } | undefined
  let current: Promise<unknown> = Promise.resolve()

  const begin = () => {
    const keys = new Set<string>()
    const start = () => {
      next = undefined
      return queryMany([...keys])
    }
    // At the end of this turn of the event loop, so that all its keys are asked together.
    const rows = current
      .then(nextTurn, nextTurn)
      .then(start)
      .then((found) => new Map(found.map((row) => [keyOf(row), row])))
    current = rows
    return { keys, rows }
  }
  return async (key) => {
    next ??= begin()
    const { keys, rows } = next
    keys.add(key)
    return (await rows).get(key)
  }
}

/** Most items of one batch. */
const mostTogether = 64

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Does the same work for many callers in one transaction. Items that come while one is under way are
 * combined into the next. `work` returns a result for each item, in their order, or throws and has
 * done nothing. Each item is then tried alone, so that only the bad one fails. Items with different
 * keys, usually organizations, are never combined. With `gathering`, work waits so many
 * milliseconds for further items.
 */
export function doTogether<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  keyOf: (item: Item) => number,
  { gathering }: { gathering?: number } = {},
): (item: Item) => Promise<Result> {
  const gather = gathering === undefined ? nextTurn : () => sleep(gathering)
  const lines = new Map<number, Waiting<Item, Result>[]>()

  const run = async (batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await work(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      // After a lost connection it is unknown whether the work was done.
      if (batch.length === 1 || error instanceof DatabaseUnavailable) {
        for (const { reject } of batch) reject(error)
      } else for (const one of batch) await run([one])
    }
  }
  const drain = async (key: number, line: Waiting<Item, Result>[]): Promise<void> => {
    while (line.length > 0) {
      // At the end of this turn of the event loop, so that all its items go together.
      await gather()
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
