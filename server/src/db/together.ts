import { DatabaseUnavailable } from './errors.ts'

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/**
 * Turns a query for many keys into a lookup of one: the lookups made while a query is under way
 * go together into the next. Nothing is remembered between queries, so what it finds is as fresh
 * as a query of its own, and a thousand callers at once cost a handful of queries.
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
    // Not before the turn of the event loop is over: what came in with the key asks along.
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
