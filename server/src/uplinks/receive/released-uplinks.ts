import { toSendingAccount } from '../../features/accounts/connections/sending-account.ts'
import { QueueFull } from '../store/arrival.ts'
import { readUplink } from '../store/quarantine.ts'
import { type CallbackServices, deadlineFromNow } from './receive-messages.ts'
import { claimReleased, type ReleasedUplink, settleReleased } from './release-queries.ts'

/**
 * The most released uplinks in the ingest queue at once: few in comparison with those that arrive
 * from the networks.
 */
const batchSize = 200

/**
 * Stores the uplinks that were released from the quarantine. They enter the ingest queue now but
 * keep their receive times. After a crash in between, no uplink is stored twice: the second time,
 * it is a repeat.
 */
export async function storeReleased(
  services: Pick<CallbackServices, 'db' | 'ingest'>,
  isStopped = () => false,
): Promise<void> {
  // A tenant that is held up does not delay the others.
  const heldUp = new Map<number, unknown>()
  while (!isStopped() && (await storeBatch(services, heldUp)) === batchSize) {}
  // A full share of the queue is no error: messages from the networks go first.
  const fault = [...heldUp.values()].find((reason) => !(reason instanceof QueueFull))
  if (fault !== undefined) throw fault
}

/**
 * Stores one batch and returns its size. If an uplink cannot be stored, its tenant goes
 * into `heldUp` with the reason. Its other uplinks wait for the next run.
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
      heldUp.set(each.tenant_id, outcome.reason)
      return false
    })
    await settleReleased(tx, stored)
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
