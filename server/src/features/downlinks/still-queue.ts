import type { Database, Queryable } from '../../db/connect.ts'
import { normalizeEui } from '../../lora/eui.ts'
import type { DeviceSession, QueuedDownlink } from '../../networks/device-queue.ts'
import { findNetwork } from '../../networks/index.ts'
import type { NetworkConnection } from '../../networks/network.ts'
import type { DownlinkRequest } from '../../networks/network-message.ts'
import type { ConnectionServices } from '../accounts/connections/connections.ts'
import type { NamingAccount } from '../fleet/inventory/named-device-queries.ts'
import type { StoredDownlink } from './downlink-queries.ts'
import * as downlinkQueries from './downlink-queries.ts'
import { expiryReason, isExpired } from './expiry.ts'
import { advance, noteHandOver } from './ledger.ts'
import { lockFreeQueue, type QueueClaim, type Route } from './queue-queries.ts'
import {
  type AskedDevice,
  findAskedDevice,
  findByQueueItem,
  reportTopic,
} from './report-queries.ts'
import { findLatestUplink, type LatestUplink, wasHeardSince } from './traffic-queries.ts'

/**
 * Answers a network that keeps no queue and requests a device's next downlink. Returns undefined if
 * no waiting downlink fits. A repeated request for the same slot gets the same downlink again.
 */
export async function answerDownlinkRequest(
  { db, now }: { db: Database; now(): Date },
  account: NamingAccount,
  request: DownlinkRequest,
): Promise<Record<string, unknown> | undefined> {
  const device = await findAskedDevice(db, account, normalizeEui(request.devEui))
  if (!device) return undefined
  return db.transaction(async (tx) => {
    // The queue is claimed, for example by a cancel. The network requests again for the next slot.
    if (!(await lockFreeQueue(tx, { ...device, network: account.network }, now()))) return undefined
    const given = await give(tx, device, request, now())
    if (!given) return undefined
    const waiting = await downlinkQueries.listWaiting(tx, device.organization_id, device.device_id)
    const isMore = waiting.some(({ state, id }) => state === 'queued' && id !== given.id)
    const downlink = { fPort: given.f_port, payload: given.payload, confirmed: given.is_confirmed }
    return request.answer(downlink, isMore)
  })
}

async function give(
  tx: Queryable,
  { organization_id, device_id }: AskedDevice,
  { queueItemId, maximumLength }: DownlinkRequest,
  now: Date,
): Promise<downlinkQueries.StoredDownlink | undefined> {
  const given = await findByQueueItem(tx, organization_id, device_id, queueItemId)
  if (given) return given.state === 'handed_over' ? given : undefined
  const waiting = await downlinkQueries.listWaiting(tx, organization_id, device_id)
  const queued = waiting.filter(({ state }) => state === 'queued')
  for (const downlink of queued.filter((each) => isExpired(each, now))) {
    await advance(tx, downlink, 'expired', expiryReason)
  }
  const head = queued.find((each) => !isExpired(each, now))
  if (!head || head.payload.length > maximumLength) return undefined
  return (await noteHandOver(tx, head, queueItemId)) ? head : undefined
}

/**
 * Finds a moment when a network's queue can be emptied while none of its frames is in the air. An
 * item that a gateway already has stays in the queue until the gateway's report. If the queue is
 * emptied before the report, the frame is sent anyway, but ChirpStack does not advance the device's
 * counter. The next downlink then gets the same counter, and the device drops it.
 */

/** A claimed queue of a device at its network. */
export interface NetworkQueue {
  eui: string
  connection: NetworkConnection
  /** See `Capabilities`. */
  holdsUntilReport: boolean
  claim: QueueClaim
}

/** Opens the connection to the network of a claimed queue. Throws `NetworkError`. */
export async function openQueue(
  { connections }: ConnectionServices,
  { eui, network, account_id }: Route,
  claim: QueueClaim,
): Promise<NetworkQueue> {
  const connection = await connections.open(account_id)
  const can = findNetwork(network)?.capabilities
  return { eui, connection, claim, holdsUntilReport: !can || can.holdsUntilReport === true }
}

/** The state of a network's queue, read just before it is emptied. */
export interface QueueLook {
  /** The listed items, or else our downlinks in the queue. Oldest first. */
  items: QueuedDownlink[]
  /** The session, read before the items. */
  session: DeviceSession | undefined
}

/**
 * `gone`: the target has left the queue, and this is the queue without it. `pending`: the target
 * was sent. `too_late`: the target is being sent, or may be.
 */
type Stillness = QueueLook | { gone: QueueLook } | 'pending' | 'too_late'

/** After an uplink, the time in which the network takes the downlink for it from the queue. */
export const takingMilliseconds = 3_000
/**
 * After an uplink, the time in which the gateway also reports the downlink. Its receive window may
 * open seconds later.
 */
const sendingMilliseconds = 7_000
/** After an uplink, the time in which the report of what was sent after it arrives, if ever. */
export const reportMilliseconds = 60_000
/** How long one attempt of a cancel waits for a still queue. */
const patienceMilliseconds = 9_000
/** Milliseconds between two looks at the network, while it reports nothing. */
const pauses = { shortest: 200, longest: 1_500 }

/** Waits until no item of the queue is on its way, or the target has left the queue. */
export async function awaitStillness(
  services: ConnectionServices,
  queue: NetworkQueue,
  target: StoredDownlink,
): Promise<Stillness> {
  const giveUpAt = performance.now() + patienceMilliseconds
  let still: { since: number; key: string } | undefined
  for (;;) {
    const look = await lookAt(services, queue)
    const item = look.items.find(({ id }) => id === target.queue_item_id)
    if (!item) return still ? 'too_late' : { gone: look }
    if (item.isPending) return 'pending'
    const key = JSON.stringify([look.session, look.items.map(({ id }) => id)])
    if (still?.key !== key) still = { since: performance.now(), key }
    const verdict = await judge(services, queue, {
      look,
      item,
      stillFor: performance.now() - still.since,
    })
    if (typeof verdict === 'string') return verdict === 'still' ? look : verdict
    if (performance.now() > giveUpAt) return 'too_late'
    await awaitNews(services, target, verdict.rest)
  }
}

/**
 * Reads the session first, so that no item leaves the queue unnoticed: the session counts it, or it
 * is missing in the list.
 */
export async function lookAt(
  { db }: ConnectionServices,
  { eui, connection, claim }: NetworkQueue,
): Promise<QueueLook> {
  const session = await connection.readSession?.(eui)
  if (connection.listDownlinks) return { items: await connection.listDownlinks(eui), session }
  const ours = await downlinkQueries.listWaiting(db, claim.organization_id, claim.device_id)
  return { items: ours.flatMap(asQueued), session }
}

/** For a network that does not list its queue: our downlink as an item of it. */
function asQueued({
  state,
  queue_item_id,
  f_port,
  payload,
  is_confirmed: confirmed,
}: StoredDownlink): QueuedDownlink[] {
  if (state !== 'handed_over' || queue_item_id === null) return []
  const item = { id: queue_item_id, fPort: f_port, payload, confirmed, isPending: false }
  return [item]
}

interface Evidence {
  look: QueueLook
  item: QueuedDownlink
  /** Milliseconds for which the looks have shown no change at the network. */
  stillFor: number
}

async function judge(
  { db }: ConnectionServices,
  { connection, claim, holdsUntilReport }: NetworkQueue,
  { look, item, stillFor }: Evidence,
): Promise<'still' | 'too_late' | { rest: number }> {
  if (!holdsUntilReport) return 'still'
  const { session } = look
  const hasJoined = connection.readSession === undefined || session !== undefined
  if (!hasJoined || (session?.uplinks === 0 && !session.isListening)) return 'still'
  const latest = await findLatestUplink(db, claim)
  const quietFor = isFollowed(connection.listDownlinks !== undefined, session, latest)
    ? (latest?.age ?? Infinity)
    : stillFor
  // A downlink that was handed over just after an uplink may have been sent after that uplink. Once
  // the time for reports is over, its report would be here.
  const margin = quietFor < reportMilliseconds ? takingMilliseconds : 0
  const given = await findGiven(db, claim, look, margin)
  const isGiven = given.length > 0 && !latest?.is_postponed
  const isReportAwaited = isGiven || connection.listDownlinks === undefined
  const rest = (isReportAwaited ? sendingMilliseconds : takingMilliseconds) - quietFor
  if (rest > 0) return { rest }
  // A gateway had the target, and its outcome is unknown.
  return isGiven && given.includes(item) ? 'too_late' : 'still'
}

/** Whether every uplink after which an item may have left the queue is stored here. */
function isFollowed(
  isListed: boolean,
  session: DeviceSession | undefined,
  latest: LatestUplink | undefined,
): boolean {
  if (!session) return true
  if (session.isListening) return false
  // The session may hold the counter of the latest uplink, or of the next.
  const known = latest && [latest.f_cnt, latest.f_cnt + 1].includes(session.uplinks)
  return known ?? !isListed
}

/**
 * The items that a gateway has, as far as is known. If the network marks none, only the head may be
 * with a gateway.
 */
async function findGiven(
  db: ConnectionServices['db'],
  { organization_id, device_id }: NetworkQueue['claim'],
  { items, session }: QueueLook,
  margin: number,
): Promise<QueuedDownlink[]> {
  const given = items.filter(({ isWithGateway }) => isWithGateway)
  const [head] = items
  const isCertain = session !== undefined && session.downlinks > 0 && head?.isWithGateway === false
  if (given.length > 0 || !head || isCertain) return given
  const ours = await downlinkQueries.listWaiting(db, organization_id, device_id)
  const downlink = ours.find(({ queue_item_id }) => queue_item_id === head.id)
  const wasHeard = !downlink || (await wasHeardSince(db, organization_id, downlink.id, margin))
  return wasHeard ? [head] : []
}

/** Waits until the network reports something about the device's downlinks, at most for a pause. */
async function awaitNews(
  { db, signals }: ConnectionServices,
  { organization_id, device_id, id }: StoredDownlink,
  milliseconds: number,
): Promise<void> {
  const pause = Math.min(Math.max(milliseconds, pauses.shortest), pauses.longest)
  let looks = 0
  const hasNews = async () => {
    looks += 1
    // The third look follows a signal, or the pause.
    if (looks > 2) return true
    const now = await downlinkQueries.find(db, organization_id, id)
    return now?.state === 'handed_over' ? undefined : true
  }
  await signals.waitFor(reportTopic(device_id), hasNews, pause)
}
