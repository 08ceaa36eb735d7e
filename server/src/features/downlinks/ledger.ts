import type { Queryable } from '../../db/connect.ts'
import type { DownlinkEvent } from '../../networks/network-message.ts'
import type { DownlinkAcknowledgement } from '../../sensors/sensor.ts'
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

/** A report, and the key of the network that sent it. */
type Report = Pick<DownlinkEvent, 'state' | 'queueItemId' | 'reason'> & { network?: string }

/**
 * Applies a network's report about a device's downlink. This function locks the queue. A network from
 * which the device moves drops what it still holds: only what it has sent counts then.
 */
export async function noteNetworkEvent(
  tx: Queryable,
  organizationId: number,
  deviceId: number,
  { state, queueItemId, reason, network }: Report,
): Promise<void> {
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
  if (downlink) await applyEvent(tx, downlink, state, reason)
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
  for (const { downlink_id, kind, reason } of events) {
    const told = handedOver.find(({ downlink }) => downlink.id === downlink_id)?.downlink
    if (!told || !marked.has(downlink_id)) continue
    await applyEvent(tx, told, networkStates[kind], reason ?? undefined)
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
  state: DownlinkEvent['state'],
  reason: string | undefined,
): Promise<void> {
  if (state === 'sent' || state === 'acknowledged') {
    await advance(tx, downlink, 'sent')
    if (state === 'acknowledged' && downlink.is_raw) await advance(tx, downlink, 'acknowledged')
  } else if (state !== 'postponed') await advance(tx, downlink, 'failed', reason)
}

/** The facts of an uplink that matter for the downlinks of its device. */
export interface TellingUplink {
  organizationId: number
  deviceId: number
  /** Whether the network reports sent downlinks. If not, the next uplink shows the sending. */
  isSendingReported: boolean
  /** The key of the network that brought it. */
  network?: string
  answer?: DownlinkAcknowledgement
  /** The answer as text. */
  description: string
}

/** Whether an uplink can tell anything about a downlink. */
export function isTelling({ answer, isSendingReported }: TellingUplink): boolean {
  return answer !== undefined || !isSendingReported
}

/** Status of an acknowledge frame: the sensor has received nothing. */
const nothingReceived = 0

/**
 * Applies stored uplinks to the downlinks of their devices, in the order of their arrival. Most
 * uplinks contain nothing about downlinks. A batch of only such uplinks costs no statement.
 */
export async function noteUplinks(tx: Queryable, uplinks: readonly TellingUplink[]): Promise<void> {
  const telling = uplinks.filter(isTelling)
  if (telling.length === 0) return
  const expectant = await reportQueries.findExpectant(
    tx,
    [...new Set(telling.map(({ organizationId }) => organizationId))],
    {
      windowed: idsOf(telling.filter(({ answer }) => !answer)),
      answering: idsOf(telling.filter(({ answer }) => answer)),
    },
  )
  // All writers lock the queues in the same order. The order within a device stays.
  const concerned = telling
    .filter(({ deviceId }) => expectant.has(deviceId))
    .sort((one, other) => one.deviceId - other.deviceId)
  for (const uplink of concerned) {
    const { network, organizationId, deviceId } = uplink
    const place = await lockPlaceOfQueue(tx, organizationId, deviceId)
    if (uplink.answer) await noteAnswer(tx, uplink, uplink.answer)
    const isByOther = network !== undefined && network !== place
    if (!uplink.isSendingReported && !isByOther) await noteOpenedWindow(tx, uplink)
  }
}

function idsOf(uplinks: readonly TellingUplink[]): number[] {
  return [...new Set(uplinks.map(({ deviceId }) => deviceId))]
}

async function noteAnswer(
  tx: Queryable,
  { organizationId, deviceId, description }: TellingUplink,
  { status, accepted, echo }: DownlinkAcknowledgement,
): Promise<void> {
  if (status === nothingReceived) return
  const answered = await reportQueries.findAnswered(tx, organizationId, deviceId, echo)
  if (!answered) return
  // The answer may come before the network's report, or without one.
  await advance(tx, answered, 'sent')
  if (accepted) await advance(tx, answered, 'acknowledged')
  else await advance(tx, answered, 'rejected', description)
}

/** A device of class A listens after each uplink. Then the network sends its oldest item. */
async function noteOpenedWindow(
  tx: Queryable,
  { organizationId, deviceId }: TellingUplink,
): Promise<void> {
  const oldest = await reportQueries.findOldestAtNetwork(tx, organizationId, deviceId)
  if (oldest?.state === 'handed_over') await advance(tx, oldest, 'sent')
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
