import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../db/connect.ts'
import type { Signals } from '../../db/signals.ts'
import { type NetworkConnection, NetworkError } from '../../networks/network.ts'
import { noteAnswered, noteFailedCall } from '../network-accounts/account-health.ts'
import type { NetworkConnections } from '../network-accounts/connections.ts'
import type { Lane } from '../network-accounts/lane-queries.ts'
import type { StoredDownlink } from './downlink-queries.ts'
import * as downlinkQueries from './downlink-queries.ts'
import { type AwaitedQueue, claimDue, type DueQueue } from './due-queues.ts'
import { advance, noteHandOver } from './ledger.ts'
import * as queueQueries from './queue-queries.ts'
import { findRecordedItems } from './report-queries.ts'

/** What it takes to bring downlinks to their networks. */
export interface HandOverDependencies {
  db: Database
  log: FastifyBaseLogger
  now(): Date
  connections: NetworkConnections
  signals: Signals
}

/** Beyond the deadlines of the calls of one hand-over, so that no two speak for one device. */
export const claimMilliseconds = 60_000
const longestPause = 5 * 60_000
const announcementMilliseconds = 6 * 3_600_000

interface Task {
  queue: DueQueue
  /** As it was before this attempt. */
  downlink: StoredDownlink
}

/** A hand-over that was claimed, to be made; undefined when none is due. */
export type ClaimedHandOver = (() => Promise<void>) | undefined

/**
 * Claims the oldest downlink of a queue that is due, of one device or of a lane. The network is
 * called outside any transaction: should the process die between its answer and our writing it
 * down, the next attempt looks for the downlink in the network's queue first.
 */
export async function claimHandOver(
  dependencies: HandOverDependencies,
  what: Lane | AwaitedQueue,
): Promise<ClaimedHandOver> {
  const task = await claimHead(dependencies, what)
  if (task === 'none_due') return undefined
  return async () => {
    if (task !== 'empty') await handOver(dependencies, task)
  }
}

async function handOver(dependencies: HandOverDependencies, task: Task): Promise<void> {
  const attempt = { isUncertain: task.downlink.is_uncertain }
  try {
    const connection = await dependencies.connections.open(task.queue.account_id)
    const queueItemId = await queueOnce(dependencies, connection, task, attempt)
    if (queueItemId === undefined) await recordAnnouncement(dependencies, task)
    else await recordHandOver(dependencies, task, queueItemId)
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    const { eui, account_id } = task.queue
    dependencies.log.warn({ downlink: task.downlink.id, eui, reason: error.message }, 'network')
    await recordFailure(dependencies, task, error, attempt.isUncertain)
    await noteFailedCall(dependencies.db, account_id, error, dependencies.now())
  }
}

async function claimHead(
  { db, now }: HandOverDependencies,
  what: Lane | AwaitedQueue,
): Promise<Task | 'none_due' | 'empty'> {
  const claimedAt = now()
  const claimedUntil = new Date(claimedAt.getTime() + claimMilliseconds)
  return db.transaction(async (tx) => {
    const queue = await claimDue(tx, what, { now: claimedAt, claimedUntil })
    if (!queue) return 'none_due'
    const head = await downlinkQueries.takeHead(tx, queue.organization_id, queue.device_id)
    if (head) return { queue, downlink: { ...head, is_uncertain: head.was_uncertain } }
    await queueQueries.releaseClaim(tx, queue, { now: claimedAt })
    return 'empty'
  })
}

/**
 * Keeps in `attempt` whether the network may hold the downlink should this throw. A network that
 * does not list its queue cannot be asked what became of an earlier attempt: there it is made again
 * and may arrive twice, and no later failure makes the first one undone.
 */
async function queueOnce(
  { db }: HandOverDependencies,
  connection: NetworkConnection,
  { queue, downlink }: Task,
  attempt: { isUncertain: boolean },
): Promise<string | undefined> {
  if (attempt.isUncertain) {
    const known = await findAtNetwork(db, connection, queue.eui, downlink)
    if (known !== undefined) return known
    attempt.isUncertain = connection.listDownlinks === undefined
  }
  return queueAtNetwork(connection, queue.eui, downlink).catch((error) => {
    const isUndone = error instanceof NetworkError && error.isUndone
    attempt.isUncertain ||= !isUndone
    throw error
  })
}

/**
 * Unconfirmed, since the sensor answers with a frame of its own, and a confirmed downlink that it
 * does not hear would hold up the network's queue.
 */
export function queueAtNetwork(
  connection: NetworkConnection,
  eui: string,
  { f_port, payload }: StoredDownlink,
): Promise<string | undefined> {
  return connection.queueDownlink({ devEui: eui, fPort: f_port, payload, confirmed: false })
}

/**
 * The network's id of a downlink that it may hold without our knowing: the one that we knew, or
 * else an item of the same bytes that belongs to no other downlink. Throws `NetworkError`.
 */
export async function findAtNetwork(
  db: Database,
  connection: NetworkConnection,
  eui: string,
  downlink: StoredDownlink,
): Promise<string | undefined> {
  const items = (await connection.listDownlinks?.(eui)) ?? []
  const own = items.find(({ id }) => id === downlink.queue_item_id)
  if (own) return own.id
  const alike = items
    .filter(({ fPort, payload }) => fPort === downlink.f_port && downlink.payload.equals(payload))
    .map(({ id }) => id)
  if (alike.length === 0) return undefined
  const { organization_id, device_id } = downlink
  const recorded = await findRecordedItems(db, organization_id, device_id, alike)
  return alike.find((id) => !recorded.has(id))
}

async function recordHandOver(
  { db, now }: HandOverDependencies,
  { queue, downlink }: Task,
  queueItemId: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await queueQueries.lockQueue(tx, queue.organization_id, queue.device_id)
    await noteHandOver(tx, downlink, queueItemId)
    await queueQueries.releaseClaim(tx, queue, { now: now(), nextAttemptAt: now() })
  })
  await noteAnswered(db, queue.account_id, now())
}

/** The network will ask for it; it is told again when it has not for a long time. */
async function recordAnnouncement(
  { db, now }: HandOverDependencies,
  { queue, downlink }: Task,
): Promise<void> {
  const nextAttemptAt = new Date(now().getTime() + announcementMilliseconds)
  await db.transaction(async (tx) => {
    await queueQueries.lockQueue(tx, queue.organization_id, queue.device_id)
    await downlinkQueries.noteFailedAttempt(tx, downlink, { isUncertain: false, reason: null })
    await queueQueries.releaseClaim(tx, queue, { now: now(), nextAttemptAt })
  })
  await noteAnswered(db, queue.account_id, now())
}

/** A refusal is final; anything else is tried again, with back-off. */
async function recordFailure(
  { db, now }: HandOverDependencies,
  { queue, downlink }: Task,
  error: NetworkError,
  isUncertain: boolean,
): Promise<void> {
  await db.transaction(async (tx) => {
    await queueQueries.lockQueue(tx, queue.organization_id, queue.device_id)
    await downlinkQueries.noteFailedAttempt(tx, downlink, { isUncertain, reason: error.message })
    const isFinal = error.kind === 'refused' && error.about !== 'account'
    if (isFinal) await advance(tx, downlink, 'failed', error.message)
    const pause = isFinal ? 0 : pauseAfter(downlink.attempts)
    const nextAttemptAt = new Date(now().getTime() + pause)
    await queueQueries.releaseClaim(tx, queue, { now: now(), nextAttemptAt })
  })
}

/** Doubles up to the longest; up to a quarter more keeps a thousand devices from coming at once. */
function pauseAfter(attempts: number): number {
  const pause = Math.min(longestPause, 1000 * 2 ** Math.min(attempts, 10))
  return pause * (1 + 0.25 * Math.random())
}
