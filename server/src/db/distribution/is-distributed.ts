/** The part of `Queryable` (../connect.ts, which imports this file) that is needed here. */
interface Asked {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

const answers = new WeakMap<Asked, Promise<boolean>>()
const pools = new WeakMap<Asked, Asked>()

/** A transaction answers as the pool that its connection is of. */
export function belongTo(tx: Asked, pool: Asked): void {
  pools.set(tx, pool)
}

/** The pool of a transaction's connection; a pool itself. */
export function poolOf(db: Asked): Asked {
  return pools.get(db) ?? db
}

/**
 * Whether Citus distributes the tables. Asked once per pool. Only for what a single PostgreSQL does
 * in another way: statements about one organization are the same on both.
 */
export function isDistributed(db: Asked): Promise<boolean> {
  const pool = poolOf(db)
  const known = answers.get(pool)
  if (known) return known
  const asked = ask(pool)
  answers.set(pool, asked)
  asked.catch(() => answers.delete(pool))
  return asked
}

async function ask(db: Asked): Promise<boolean> {
  const [row] = await db.query<{ is_there: boolean }>(
    `select exists (select from pg_extension where extname = 'citus') as is_there`,
  )
  return row?.is_there ?? false
}
