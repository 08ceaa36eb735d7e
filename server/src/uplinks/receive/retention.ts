import type { Queryable } from '../../db/connect.ts'
import { boundQuarantines, defaultBounds } from '../store/quarantine.ts'
import { removeOld } from '../store/quarantine-queries.ts'
import { removeOldEvents } from './message-queries.ts'

/** How long quarantined messages and events of networks are kept. Uplinks have a retention of their own. */
const keptMilliseconds = 30 * 24 * 60 * 60 * 1000

/** The most rows that one statement removes, so that none holds its locks for long. */
const batchSize = 10_000

interface RemovalOptions {
  most?: typeof defaultBounds
  isStopped?: () => boolean
}

/**
 * Removes quarantined messages and events that are too old, and quarantined messages above the
 * limits.
 */
export async function removeOldMessages(
  db: Queryable,
  now: Date,
  { most = defaultBounds, isStopped = () => false }: RemovalOptions = {},
): Promise<void> {
  const oldest = new Date(now.getTime() - keptMilliseconds)
  // Repeats until nothing is left: with a fixed number of rows per hour, the tables could grow
  // without limit.
  while (!isStopped() && (await removeOld(db, oldest, batchSize)) === batchSize) {}
  await boundQuarantines(db, most)
  while (!isStopped() && (await removeOldEvents(db, oldest, batchSize)) === batchSize) {}
}
