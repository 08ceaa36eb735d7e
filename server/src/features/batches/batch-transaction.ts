import type { Database, Queryable } from '../../db/connect.ts'
import { unavailable } from '../../http/errors.ts'
import { isTreeFull } from '../inventory/quota-queries.ts'

/** Somebody took an EUI between the look at what there is and the insert. */
export class EuiTakenMeanwhile extends Error {}

/** Each needs another request to take an EUI of the batch, or the last of the tree's quota, in the same few milliseconds. */
const mostTries = 5

/** Does a batch in one transaction, from the start again when something was taken meanwhile. */
export async function transactBatch<T>(
  db: Database,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    try {
      return await db.transaction(work)
    } catch (error) {
      if (!(error instanceof EuiTakenMeanwhile) && !isTreeFull(error)) throw error
    }
  }
  throw unavailable(1)
}
