import type { Database, Queryable } from '../../db/connect.ts'
import type { DeviceSession, QueuedDownlink } from '../../networks/device-queue.ts'
import type { ConnectionServices } from '../accounts/connections/connections.ts'
import { closeInBatches } from './close-in-batches.ts'
import { closeUnansweredOf, findUnanswered } from './downlink-history-queries.ts'
import { markUncertain, noteMissing, queueAnew } from './downlink-queries.ts'
import { advance } from './ledger.ts'
import { lockQueue, makeDue, type QueueClaim, requireHeld } from './queue-queries.ts'
import { reportMilliseconds, takingMilliseconds } from './still-queue.ts'
import { type HeldDownlink, listHeld } from './traffic-queries.ts'

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

/**
 * Settles downlinks that were handed over and left the network's queue without a report. Such a
 * downlink was dropped at a join of the device, or another system removed it, or it was sent. In
 * the last case, its report is on the way or lost.
 */

/** A network's queue, read under a claim on it. */
interface ReadQueue {
  /** Undefined if the network does not list its queue. */
  items: readonly QueuedDownlink[] | undefined
  session: DeviceSession | undefined
}

/**
 * For a network that does not list its queue: after this many uplinks without a report, an item
 * counts as missing.
 */
const silentUplinks = 3

/**
 * Queues a missing downlink again if it was certainly not sent and was dropped by a join. Any other
 * missing downlink fails when the time for its report is over. Returns the ids of the downlinks
 * whose fate is still open.
 * @throws ClaimLost when the list is old: another process may have handed over since.
 */
export async function settleMissing(
  { db, now }: Pick<ConnectionServices, 'db' | 'now'>,
  claim: QueueClaim,
  queue: ReadQueue,
): Promise<number[]> {
  return db.transaction(async (tx) => {
    await lockQueue(tx, claim.organization_id, claim.device_id)
    await requireHeld(tx, claim)
    const held = await listHeld(tx, claim, takingMilliseconds)
    const fates = held
      .filter((downlink) => isMissing(downlink, queue))
      .map((downlink) => ({ downlink, fate: judge(downlink, queue.session) }))
    const idsOf = (fate: Fate) =>
      fates.filter((each) => each.fate === fate).map(({ downlink }) => downlink.id)
    const unsent = idsOf('unsent')
    await queueAnew(tx, claim.organization_id, unsent)
    if (unsent.length > 0) await makeDue(tx, claim, now())
    await noteMissing(tx, claim.organization_id, idsOf('open'))
    for (const { downlink, fate } of fates) {
      if (fate === 'lost') await fail(tx, downlink, explain(downlink, queue))
    }
    return idsOf('open')
  })
}

async function fail(tx: Queryable, downlink: HeldDownlink, reason: string): Promise<void> {
  await advance(tx, downlink, 'failed', reason)
  await markUncertain(tx, downlink.organization_id, downlink.id)
}

function isMissing(
  { queue_item_id, uplinks_since, sent_since }: HeldDownlink,
  { items }: ReadQueue,
): boolean {
  if (items) return !items.some(({ id }) => id === queue_item_id)
  return uplinks_since - sent_since >= silentUplinks
}

type Fate = 'unsent' | 'lost' | 'open'

function judge(held: HeldDownlink, session: DeviceSession | undefined): Fate {
  const { quiet_for, missing_for } = held
  const isReportOver = Math.max(quiet_for, missing_for ?? 0) >= reportMilliseconds
  if (hasJoined(held, session) && isUnsent(held, session, isReportOver)) return 'unsent'
  return isReportOver ? 'lost' : 'open'
}

/** If the join event is lost, the session counts fewer uplinks than came since the hand-over. */
function hasJoined({ has_joined, uplinks_since }: HeldDownlink, session: ReadQueue['session']) {
  return has_joined || (session !== undefined && session.uplinks < uplinks_since)
}

/**
 * Whether the downlink was certainly not sent, because no uplink opened a receive window for it. A
 * window that another sent downlink used does not count. If the network sent nothing in this
 * session, or the join that began it dropped the queue, the windows of its uplinks do not count
 * either.
 */
function isUnsent(
  { uplinks_since, uplinks_around, uplinks_ever, sent_since }: HeldDownlink,
  session: DeviceSession | undefined,
  isReportOver: boolean,
): boolean {
  const uplinks = isReportOver ? uplinks_since : uplinks_around
  // A device of class B or C listens without an uplink. Only before its first join can the network
  // certainly have sent nothing.
  if (session?.isListening && uplinks_ever > uplinks) return false
  const isUnused = session?.downlinks === 0 || session?.isDroppedAtJoin
  const unanswered = isUnused ? session.uplinks : 0
  return uplinks - unanswered <= sent_since
}

function explain(held: HeldDownlink, { items, session }: ReadQueue): string {
  const { uplinks_since, sent_since } = held
  if (!items) {
    return `The network has reported nothing of it in ${uplinks_since} uplinks: it is no longer in the network's queue, or its report was lost.`
  }
  if (hasJoined(held, session)) {
    return "No longer in the network's queue, and not reported as sent: the device has joined again, which drops what waits, or its report was lost."
  }
  if (uplinks_since <= sent_since) {
    return "No longer in the network's queue: it was removed there."
  }
  return "No longer in the network's queue, and not reported as sent: it was removed there, or its report was lost."
}
