import type { Database } from '../../db/connect.ts'
import { closeUnansweredOf, findUnanswered } from './downlink-history-queries.ts'
import { lockQueues } from './queue-queries.ts'

/** Sensors answer at once, but a network may send a message days after it took it. */
const longestWaitDays = 7

/** The most unanswered downlinks that are read at a time. */
const batchSize = 500

const reason = `It was sent, but the sensor has not acknowledged it within ${longestWaitDays} days.`

/**
 * Closes the downlinks that were sent more than `longestWaitDays` ago and that no sensor has
 * acknowledged. Sensors never acknowledge the downlinks of codecs. These stay `sent`, which is
 * their final state.
 */
export async function closeUnanswered(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - longestWaitDays * 24 * 60 * 60 * 1000)
  for (;;) {
    const found = await findUnanswered(db, before, batchSize)
    const byOrganization = Map.groupBy(found, ({ organization_id }) => organization_id)
    let closed = 0
    for (const [organizationId, downlinks] of byOrganization) {
      const deviceIds = [...new Set(downlinks.map(({ device_id }) => device_id))]
      closed += await db.transaction(async (tx) => {
        const locked = await lockQueues(tx, organizationId, deviceIds)
        return closeUnansweredOf(tx, organizationId, { deviceIds: locked, before, reason })
      })
    }
    if (found.length < batchSize || closed === 0) return
  }
}
