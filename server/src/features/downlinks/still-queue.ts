import { findNetwork } from '../../networks/index.ts'
import type { DeviceSession, NetworkConnection, QueuedDownlink } from '../../networks/network.ts'
import type { ConnectionServices } from '../connections/connections.ts'
import type { StoredDownlink } from './downlink-queries.ts'
import * as downlinkQueries from './downlink-queries.ts'
import type { QueueClaim, Route } from './queue-queries.ts'
import { reportTopic } from './report-queries.ts'
import { findLatestUplink, type LatestUplink, wasHeardSince } from './traffic-queries.ts'

/**
 * Finds the moment in which a network's queue can be emptied without a frame of it being in the air.
 * What a gateway was given is still in the queue until the gateway's report: emptied before that, it
 * goes out all the same, ChirpStack does not advance the device's counter, and the next downlink,
 * which then gets the same one, is dropped by the device.
 */

/** A device's queue at its network, claimed. */
export interface NetworkQueue {
  eui: string
  connection: NetworkConnection
  /** See `Capabilities`. */
  holdsUntilReport: boolean
  claim: QueueClaim
}

/** Throws `NetworkError`. */
export async function openQueue(
  { connections }: ConnectionServices,
  { eui, network, account_id }: Route,
  claim: QueueClaim,
): Promise<NetworkQueue> {
  const connection = await connections.open(account_id)
  const can = findNetwork(network)?.capabilities
  return { eui, connection, claim, holdsUntilReport: !can || can.holdsUntilReport === true }
}

/** What is known of a network's queue just before it is emptied. */
export interface QueueLook {
  /** As listed, or ours where the network does not list them. The oldest first. */
  items: QueuedDownlink[]
  /** As it was before the items were read. */
  session: DeviceSession | undefined
}

/** `gone`: what the queue holds without it; `pending`: sent; `too_late`: it goes its way, or may have. */
type Stillness = QueueLook | { gone: QueueLook } | 'pending' | 'too_late'

/** From an uplink on until the network has taken from the queue what it sends after it. */
export const takingMilliseconds = 3_000
/** Until the gateway has reported it as well: its receive window may come seconds later. */
const sendingMilliseconds = 7_000
/** From an uplink on until the report of what was sent after it is here, or will not come. */
export const reportMilliseconds = 60_000
/** How long a cancel waits for all of this. */
const patienceMilliseconds = 9_000
/** Between two looks at the network, while it reports nothing. */
const pauses = { shortest: 200, longest: 1_500 }

/** Waits until nothing of the queue is on its way, or the target has left it. */
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

/** Reads the session first: what has left the queue by then is counted in it, or missing in the list. */
export async function lookAt(
  { db }: ConnectionServices,
  { eui, connection, claim }: NetworkQueue,
): Promise<QueueLook> {
  const session = await connection.readSession?.(eui)
  if (connection.listDownlinks) return { items: await connection.listDownlinks(eui), session }
  const ours = await downlinkQueries.listWaiting(db, claim.organization_id, claim.device_id)
  return { items: ours.flatMap(asQueued), session }
}

/** For a network that does not list its queue: what we know to be in it. */
function asQueued({ state, queue_item_id, f_port, payload }: StoredDownlink): QueuedDownlink[] {
  if (state !== 'handed_over' || queue_item_id === null) return []
  const item = { id: queue_item_id, fPort: f_port, payload, confirmed: false, isPending: false }
  return [item]
}

interface Evidence {
  look: QueueLook
  item: QueuedDownlink
  /** Milliseconds for which nothing has changed at the network, as far as we have looked. */
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
  // What was handed over just after an uplink may have been sent after it, and was reported then.
  const margin = quietFor < reportMilliseconds ? takingMilliseconds : 0
  const given = await findGiven(db, claim, look, margin)
  const isGiven = given.length > 0 && !latest?.is_postponed
  const isReportAwaited = isGiven || connection.listDownlinks === undefined
  const rest = (isReportAwaited ? sendingMilliseconds : takingMilliseconds) - quietFor
  if (rest > 0) return { rest }
  // A gateway had it, and nobody knows what became of it.
  return isGiven && given.includes(item) ? 'too_late' : 'still'
}

/** Whether we know of all uplinks after which something may have left the queue. */
function isFollowed(
  isListed: boolean,
  session: DeviceSession | undefined,
  latest: LatestUplink | undefined,
): boolean {
  if (!session) return true
  if (session.isListening) return false
  // The counter of the latest, or of the next.
  const known = latest && [latest.f_cnt, latest.f_cnt + 1].includes(session.uplinks)
  return known ?? !isListed
}

/** The items that a gateway was given, as far as can be known; of those that wait only the head. */
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

/** Until the network has told something of the device's downlinks, or for so long at most. */
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
