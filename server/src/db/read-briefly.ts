import type { Database } from './connect.ts'
import { isTimeout } from './errors.ts'
import type { Transaction } from './transaction.ts'

/** The longest time of a statement, in milliseconds: what a range holds has no other bound. */
const longestStatement = 5000

/** Reads in one transaction. Returns `tooLong` when one of its statements takes longer than that. */
export async function readBriefly<T, Otherwise extends string>(
  db: Database,
  tooLong: Otherwise,
  read: (tx: Transaction) => Promise<T>,
): Promise<T | Otherwise> {
  try {
    return await db.transaction((tx) => {
      tx.send(`set local statement_timeout = ${longestStatement}`)
      return read(tx)
    })
  } catch (error) {
    if (isTimeout(error)) return tooLong
    throw error
  }
}
