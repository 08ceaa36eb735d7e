import type { Database } from '../src/db/connect.ts'

/** For tests: the database, worked on as one that Citus distributes. */
export function asDistributed(db: Database): Database {
  return {
    ...db,
    transaction: (work) => db.transaction(work),
    async query<Row>(text: string, values?: readonly unknown[]) {
      if (text.includes("extname = 'citus'")) return [{ is_there: true }] as Row[]
      return db.query<Row>(text, values)
    },
  }
}
