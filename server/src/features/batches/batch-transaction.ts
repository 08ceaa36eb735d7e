import type { Database, Queryable } from '../../db/connect.ts'
import { unavailable } from '../../http/errors.ts'

/** Somebody took an EUI between the look at what there is and the insert. */
export class EuiTakenMeanwhile extends Error {}

/** Each needs another request to take an EUI of the batch in the same few milliseconds. */
const mostTries = 5

/** Does a batch in one transaction, from the start again when an EUI was taken meanwhile. */
export async function transactBatch<T>(
  db: Database,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    try {
      return await db.transaction(work)
    } catch (error) {
      if (!(error instanceof EuiTakenMeanwhile)) throw error
    }
  }
  throw unavailable(1)
}
