import type { Queryable } from '../../db/connect.ts'
import type { DownlinkEvent } from '../../networks/network-message.ts'
import { addHistory, cancelAll, insertAll, type NewDownlink } from './downlink-history-queries.ts'
import type { StoredDownlink } from './downlink-queries.ts'
import * as downlinkQueries from './downlink-queries.ts'
import { type NextState, statesBefore } from './downlink-states.ts'
import { lockQueues, openQueues } from './queue-queries.ts'
import { lockPlaceOfQueue } from './queue-switch-queries.ts'
import * as reportQueries from './report-queries.ts'

/**
 * Creates downlinks and moves them to later states, with the entries in the history. Every function
 * runs in a transaction that locks the device's queue first. So the changes of one device happen
 * one after the other.
 */

/** The most downlinks of one device that may wait at a time, here and at the network together. */
export const mostWaiting = 100

export type Creation = { id: number } | 'device_gone' | 'too_many'

/** Writes new downlinks of one organization into the queues of their devices, in their order. */
export async function createDownlinks(
  tx: Queryable,
  organizationId: number,
  downlinks: readonly NewDownlink[],
  now: Date,
): Promise<Creation[]> {
  const deviceIds = downlinks.map(({ deviceId }) => deviceId)
  // In this order and in one round trip. The second is a statement of its own: it sees the downlinks
  // that were queued before the queues were locked.
  const [opened, ids] = await Promise.all([
    openQueues(tx, organizationId, deviceIds, now),
    insertAll(tx, organizationId, downlinks, mostWaiting),
  ])
  return downlinks.map(({ deviceId }, index) => {
    if (!opened.has(deviceId)) return 'device_gone'
    const id = ids[index]
    return id === undefined ? 'too_many' : { id }
  })
}

/**
 * Moves a downlink to a later state and records it in the history. Returns false if the current
 * state does not precede `to`.
 */
export async function advance(
  tx: Queryable,
  downlink: Pick<StoredDownlink, 'organization_id' | 'device_id' | 'id'>,
  to: NextState,
  reason?: string,
): Promise<boolean> {
  if (!(await downlinkQueries.changeState(tx, downlink, statesBefore[to], to))) return false
  await addHistory(tx, downlink, `event_${to}`, reason)
  return true
}

/** Records that a downlink which the network was to send again is cancelled there. */
export async function endRepeated(tx: Queryable, downlink: StoredDownlink): Promise<boolean> {
  if (!(await downlinkQueries.changeState(tx, downlink, ['sent'], 'cancelled'))) return false
  await addHistory(tx, downlink, 'event_cancelled')
  return true
}

/** A report, and the key of the network that sent it. */
type Report = Pick<DownlinkEvent, 'state' | 'queueItemId' | 'reason' | 'isRepeated'> & {
  network?: string
}

/**
 * Applies a network's report about a device's downlink. This function locks the queue. A network from
 * which the device moves drops what it still holds: only what it has sent counts then.
 */
export async function noteNetworkEvent(
  tx: Queryable,
  organizationId: number,
  deviceId: number,
  report: Report,
): Promise<void> {
  const { state, queueItemId, network } = report
  if (state === 'postponed') return
  const place = await lockPlaceOfQueue(tx, organizationId, deviceId)
  if (place === undefined) return
  const isOfFormer = network !== undefined && network !== place
  const isSending = state === 'sent' || state === 'acknowledged'
  if (isOfFormer && (!isSending || queueItemId === undefined)) return
  // An unknown item belongs to another system, or its hand-over is not recorded yet. The event
  // stays stored, and `noteHandOvers` looks for it.
  const downlink =
    queueItemId === undefined
      ? await findUnnamed(tx, organizationId, deviceId, state)
      : await reportQueries.findByQueueItem(tx, organizationId, deviceId, queueItemId)
  if (downlink) await applyEvent(tx, downlink, report)
}

/**
 * Finds the downlink of a report that names no item. A device receives and answers its downlinks
 * one after the other.
 */
function findUnnamed(
  tx: Queryable,
  organizationId: number,
  deviceId: number,
  state: DownlinkEvent['state'],
): Promise<StoredDownlink | undefined> {
  const isAnswer = state === 'acknowledged' || state === 'not_acknowledged'
  return isAnswer
    ? reportQueries.findAnswered(tx, organizationId, deviceId, undefined)
    : reportQueries.findOldestAtNetwork(tx, organizationId, deviceId)
}

/**
 * Records that the network has a downlink in its queue. Returns false if the downlink was no longer
 * queued here.
 */
export async function noteHandOver(
  tx: Queryable,
  downlink: StoredDownlink,
  queueItemId: string,
): Promise<boolean> {
  const marked = await noteHandOvers(tx, downlink.organization_id, [{ downlink, queueItemId }])
  return marked.has(downlink.id)
}

/** The same for downlinks of one organization. Returns the ids of those that were queued here. */
export async function noteHandOvers(
  tx: Queryable,
  organizationId: number,
  handedOver: readonly downlinkQueries.HandedOver[],
): Promise<Set<number>> {
  const [marked, events] = await Promise.all([
    downlinkQueries.markHandedOver(tx, organizationId, handedOver),
    reportQueries.listEvents(tx, organizationId, handedOver),
  ])
  for (const { downlink_id, kind, reason, is_repeated } of events) {
    const told = handedOver.find(({ downlink }) => downlink.id === downlink_id)?.downlink
    if (!told || !marked.has(downlink_id)) continue
    await applyEvent(tx, told, {
      state: networkStates[kind],
      ...(reason !== null && { reason }),
      ...(is_repeated && { isRepeated: true }),
    })
  }
  return marked
}

const networkStates = {
  downlink_sent: 'sent',
  downlink_acknowledged: 'acknowledged',
  downlink_not_acknowledged: 'not_acknowledged',
  downlink_failed: 'failed',
  downlink_postponed: 'postponed',
} as const satisfies Record<string, DownlinkEvent['state']>

/**
 * A LoRaWAN acknowledgement only means that the frame arrived, so a configuration becomes `sent`:
 * only the sensor's own answer makes it `acknowledged`. Nothing else is asked of a raw downlink.
 */
async function applyEvent(
  tx: Queryable,
  downlink: StoredDownlink,
  { state, reason, isRepeated }: Report,
): Promise<void> {
  if (state === 'postponed') return
  if (state === 'sent') {
    await advance(tx, downlink, 'sent')
  } else if (state === 'acknowledged') {
    // It arrived, although it may have failed here by an earlier report.
    await downlinkQueries.markUncertain(tx, downlink.organization_id, downlink.id)
    await advance(tx, downlink, 'sent')
    if (downlink.is_raw) await advance(tx, downlink, 'acknowledged')
  } else if (isRepeated) {
    await advance(tx, downlink, 'sent')
    await noteAttempt(tx, downlink, reason)
  } else {
    await advance(tx, downlink, 'failed', reason)
    // The device may have received it, and only its acknowledgement was lost.
    if (state === 'not_acknowledged') {
      await downlinkQueries.markUncertain(tx, downlink.organization_id, downlink.id)
    }
  }
}

/** A downlink that the network sends again stays `sent`. */
async function noteAttempt(
  tx: Queryable,
  downlink: StoredDownlink,
  reason: string | undefined,
): Promise<void> {
  const now = await downlinkQueries.find(tx, downlink.organization_id, downlink.id)
  if (now?.state === 'sent') await addHistory(tx, downlink, 'event_sent', reason)
}

/** Cancels the waiting downlinks of devices being deleted. The network drops their queues. */
export async function cancelWaiting(
  tx: Queryable,
  organizationId: number,
  deviceIds: readonly number[],
): Promise<void> {
  const locked = await lockQueues(tx, organizationId, deviceIds)
  if (locked.length > 0) await cancelAll(tx, organizationId, locked, statesBefore.cancelled)
}
