import pg from 'pg'
import type { Queryable } from './connect.ts'
import { belongTo, poolOf } from './distribution/is-distributed.ts'
import type { Transaction } from './transaction.ts'

/** In the log of PostgreSQL, too: `invalid input syntax for type integer: "what was ..."`. */
const complaint = 'what was remembered has changed'

/**
 * Reads whose answers must be empty. They are sent without waiting for an answer and answer that they
 * found nothing. Where one finds a row, the transaction fails with an error of `isNotEmpty`. So what
 * follows can be sent with them, and with COMMIT. For statements that only read.
 */
export function mustBeEmpty(tx: Transaction): Queryable {
  const reads: Queryable = {
    async query(text, values) {
      tx.send(emptyOrError(text), values)
      return []
    },
  }
  belongTo(reads, poolOf(tx))
  return reads
}

/** Whether a transaction failed because a read of `mustBeEmpty` found a row. */
export function isNotEmpty(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError && error.code === '22P02' && error.message.includes(complaint)
  )
}

const texts = new Map<string, string>()

/** The same string each time: its name is found by it (`statementName`). */
function emptyOrError(text: string): string {
  const known = texts.get(text)
  if (known) return known
  // With `count`, and not `exists`, so that the plan is that of the statement itself.
  const made = `select cast(
      case when (select count(*) from (${text}) as found) > 0 then '${complaint}' else '0' end
      as integer
    )`
  texts.set(text, made)
  return made
}
