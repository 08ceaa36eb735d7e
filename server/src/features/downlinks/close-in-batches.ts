import type { Database, Queryable } from '../../db/connect.ts'
import { lockQueues } from './queue-queries.ts'

/** A device with a downlink that is to be closed. */
export interface Closable {
  organization_id: number
  device_id: number
}

/** The most downlinks that are read at a time. */
const batchSize = 500

interface Closing {
  /** The devices of the next downlinks that are to be closed; a device may come several times. */
  find(limit: number): Promise<Closable[]>
  /** Closes those of one organization, under the locks of their queues. Returns how many. */
  close(tx: Queryable, organizationId: number, deviceIds: readonly number[]): Promise<number>
}

/** Closes all downlinks that `find` finds, with a transaction for each organization of a batch. */
export async function closeInBatches(db: Database, { find, close }: Closing): Promise<void> {
  for (;;) {
    const found = await find(batchSize)
    const byOrganization = Map.groupBy(found, ({ organization_id }) => organization_id)
    let closed = 0
    for (const [organizationId, downlinks] of byOrganization) {
      const deviceIds = [...new Set(downlinks.map(({ device_id }) => device_id))]
      closed += await db.transaction(async (tx) => {
        const locked = await lockQueues(tx, organizationId, deviceIds)
        return close(tx, organizationId, locked)
      })
    }
    if (found.length < batchSize || closed === 0) return
  }
}
