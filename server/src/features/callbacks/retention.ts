import type { Queryable } from '../../db/connect.ts'
import { boundQuarantines, defaultBounds } from '../uplinks/quarantine.ts'
import { removeOld } from '../uplinks/quarantine-queries.ts'
import { removeOldEvents } from './message-queries.ts'

/** How long the quarantine and the networks' reports are kept. Uplinks are kept for ever. */
const keptMilliseconds = 30 * 24 * 60 * 60 * 1000

/** Rows removed by one statement, so that none holds its locks for long. */
const batchSize = 10_000

/** Removes what is older, and of the quarantine what is too much. */
export async function removeOldMessages(
  db: Queryable,
  now: Date,
  most = defaultBounds,
): Promise<void> {
  const oldest = new Date(now.getTime() - keptMilliseconds)
  // Until nothing is left: at a fixed number of rows an hour the tables could grow for ever.
  while ((await removeOld(db, oldest, batchSize)) === batchSize) {}
  await boundQuarantines(db, most)
  while ((await removeOldEvents(db, oldest, batchSize)) === batchSize) {}
}
