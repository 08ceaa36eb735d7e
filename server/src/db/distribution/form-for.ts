/** The part of `Queryable` (../connect.ts, which imports this file) that is needed here. */
export interface Asked {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

const answers = new WeakMap<Asked, Promise<boolean>>()
const pools = new WeakMap<Asked, Asked>()

/** A transaction answers as the pool that its connection is of. */
export function belongTo(tx: Asked, pool: Asked): void {
  pools.set(tx, pool)
}

/** Two forms of the same work; usually of one statement. */
interface Forms<Form> {
  /** For one PostgreSQL. */
  whole: Form
  /** For tables that Citus spreads over machines. All rows of an organization are on one of them. */
  spread: Form
}

/**
 * The form that fits the database. Nearly all statements need no second one: those about one
 * organization are the same on both. Another one is needed where a statement is about several
 * organizations, and Citus has no such locks, limits or indexes.
 */
export async function formFor<Form>(db: Asked, { whole, spread }: Forms<Form>): Promise<Form> {
  return (await isDistributed(db)) ? spread : whole
}

/**
 * Whether Citus distributes the tables. Asked once per pool. Features and `uplinks/` do not ask: see
 * `formFor`.
 */
export function isDistributed(db: Asked): Promise<boolean> {
  const pool = pools.get(db) ?? db
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
