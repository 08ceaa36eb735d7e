import pg from 'pg'
import type { Queryable } from '../server/src/db/connect.ts'
import { statementName, typeParsers } from '../server/src/db/statements.ts'

/** As many as one server process has (server/src/start.ts). */
const poolSize = 16

/**
 * The driver's own pool and nothing else, for baselines: the statements of the service, prepared as
 * there, without its care for lost connections, time limits and errors.
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
