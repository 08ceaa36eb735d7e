import pg from 'pg'
import type { Queryable } from '../server/src/db/connect.ts'
import { statementName, typeParsers } from '../server/src/db/statements.ts'

/** The pool size of one server process (server/src/start.ts). */
const poolSize = 16

/**
 * Only the driver's own pool, for baselines. It prepares the statements of the service in the same
 * way, without the handling of lost connections, time limits and errors.
 */
export function openBareDatabase(connectionString: string): Queryable {
  const pool = new pg.Pool({ connectionString, max: poolSize, types: typeParsers })
  return {
    async query<Row>(text: string, values: readonly unknown[] = []) {
      const name = statementName(text)
      const { rows } = await pool.query({ text, values: [...values], ...(name && { name }) })
      return rows as Row[]
    },
  }
}
