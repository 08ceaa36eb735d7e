import type { Services } from '../services.ts'
import { QueueFull } from './ingest-queue.ts'
import { readUplink } from './quarantined-uplink.ts'
import { deadlineFromNow } from './receive-message.ts'
import { claimReleased, type ReleasedUplink, settleReleased } from './release-queries.ts'

/** Uplinks on their way at once: few beside what the networks send meanwhile. */
const batchSize = 200

/**
 * Stores the uplinks that were let out of the quarantine, as if they arrived now with the time at
 * which they were received. A crash in between stores none twice: they are repeats then.
 */
export async function storeReleased(services: Pick<Services, 'db' | 'ingest'>): Promise<void> {
  while ((await storeBatch(services)) === batchSize) {}
}

/** Returns how many there were. */
async function storeBatch({ db, ingest }: Pick<Services, 'db' | 'ingest'>): Promise<number> {
  try {
    return await db.transaction(async (tx) => {
      const released = await claimReleased(tx, batchSize)
      if (released.length === 0) return 0
      const work = released.map((each) => ingest.store(toArrival(each)))
      await Promise.allSettled(work)
      await Promise.all(work)
      await settleReleased(
        tx,
        released.map(({ id }) => id),
      )
      return released.length
    })
  } catch (error) {
    // The networks go first; the rest is tried again with the next run.
    if (error instanceof QueueFull) return 0
    throw error
  }
}

function toArrival(released: ReleasedUplink) {
  return {
    account: {
      id: released.network_account_id,
      organizationId: released.organization_id,
      rootId: released.root_id,
      network: released.network,
      isVendor: released.register_method === 'vendor',
    },
    uplink: readUplink(released.uplink),
    message: released.message,
    deadline: deadlineFromNow(),
  }
}
