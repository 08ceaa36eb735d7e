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
