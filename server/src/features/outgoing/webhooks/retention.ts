import type { CoreServices } from '../../core-services.ts'
import { deleteOld } from './log-queries.ts'

const keptMilliseconds = 30 * 24 * 60 * 60 * 1000
/** Rows of a webhook that one statement deletes. */
const batchSize = 5_000

/** Keeps 30 days of attempts and of events, and the newest 100,000 of each webhook. */
export async function removeOldDeliveries(
  { db, now }: Pick<CoreServices, 'db' | 'now'>,
  isStopped = () => false,
): Promise<void> {
  const before = new Date(now().getTime() - keptMilliseconds)
  while (!isStopped() && (await deleteOld(db, before, batchSize)) >= batchSize) {}
}
