import type { Database } from '../../db/connect.ts'
import { closeInBatches } from './close-in-batches.ts'
import { closeUnansweredOf, findUnanswered } from './downlink-history-queries.ts'

/** Sensors answer at once, but a network may send a message days after it took it. */
const longestWaitDays = 7

const reason = `It was sent, but the sensor has not acknowledged it within ${longestWaitDays} days.`

/**
 * Closes the downlinks that were sent more than `longestWaitDays` ago and that no sensor has
 * acknowledged. Sensors need not acknowledge raw downlinks and those of codecs. These stay `sent`,
 * which is their final state.
 */
export async function closeUnanswered(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - longestWaitDays * 24 * 60 * 60 * 1000)
  await closeInBatches(db, {
    find: (limit) => findUnanswered(db, before, limit),
    close: (tx, organizationId, deviceIds) =>
      closeUnansweredOf(tx, organizationId, { deviceIds, before, reason }),
  })
}
