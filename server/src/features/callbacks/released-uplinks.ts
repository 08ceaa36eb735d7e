import { toSendingAccount } from '../connections/sending-account.ts'
import { QueueFull } from '../uplinks/arrival.ts'
import { readUplink } from '../uplinks/quarantine.ts'
import type { CallbackServices } from './callback-services.ts'
import { deadlineFromNow } from './receive-messages.ts'
import { claimReleased, type ReleasedUplink, settleReleased } from './release-queries.ts'

/** Uplinks on their way at once: few beside what the networks send meanwhile. */
const batchSize = 200

/**
 * Stores the uplinks that were let out of the quarantine, as if they arrived now with the time at
 * which they were received. A crash in between stores none twice: they are repeats then.
 */
export async function storeReleased(
  services: Pick<CallbackServices, 'db' | 'ingest'>,
): Promise<void> {
  // No other root organization waits for what holds up one.
  const heldUp = new Map<number, unknown>()
  while ((await storeBatch(services, heldUp)) === batchSize) {}
  // Where its part of the queue is full the networks go first, and that is no fault.
  const fault = [...heldUp.values()].find((reason) => !(reason instanceof QueueFull))
  if (fault !== undefined) throw fault
}

/**
 * Returns how many there were. A root organization of which one could not be stored comes into
 * `heldUp` with the reason; what is left of it waits for the next run.
 */
async function storeBatch(
  { db, ingest }: Pick<CallbackServices, 'db' | 'ingest'>,
  heldUp: Map<number, unknown>,
): Promise<number> {
  return db.transaction(async (tx) => {
    const released = await claimReleased(tx, batchSize, [...heldUp.keys()])
    const outcomes = await Promise.allSettled(
      released.map(async (each) => ingest.store(toArrival(each))),
    )
    const stored = released.filter((each, index) => {
      const outcome = outcomes[index]
      if (outcome?.status !== 'rejected') return true
      heldUp.set(each.root_id, outcome.reason)
      return false
    })
    await settleReleased(
      tx,
      stored.map(({ id }) => id),
    )
    return released.length
  })
}

function toArrival(released: ReleasedUplink) {
  return {
    account: toSendingAccount({ ...released, id: released.network_account_id }),
    uplink: readUplink(released.uplink),
    message: released.message,
    deadline: deadlineFromNow(),
  }
}
