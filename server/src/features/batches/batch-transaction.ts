import type { Database, Queryable } from '../../db/connect.ts'
import { unavailable } from '../../http/errors.ts'
import { isLimitReached } from '../inventory/quota-queries.ts'

/** Another request took an EUI after the batch was planned and before its insert. */
export class EuiTakenMeanwhile extends Error {}

/** Every retry needs another request that takes an EUI or the last quota within milliseconds. */
const mostTries = 5

/** Runs a batch in one transaction, and again from the start when something was taken meanwhile. */
export async function transactBatch<T>(
  db: Database,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    try {
      return await db.transaction(work)
    } catch (error) {
      if (!(error instanceof EuiTakenMeanwhile) && !isLimitReached(error)) throw error
    }
  }
  throw unavailable(1)
}
