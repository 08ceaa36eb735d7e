import type { Queryable } from '../../db/connect.ts'
import { changeOf } from '../../http/change-record.ts'
import type { RecordChange } from '../../http/endpoint.ts'
import { NetworkError } from '../../networks/network-error.ts'
import type { ConnectionServices } from '../accounts/connections/connections.ts'
import { announce } from '../outgoing/events/announce.ts'
import type { StoredDownlink } from './downlink-queries.ts'
import * as downlinkQueries from './downlink-queries.ts'
import { findAtNetwork } from './hand-over.ts'
import { advance, endRepeated, noteHandOver } from './ledger.ts'
import { settleMissing } from './missing-downlinks.ts'
import { claimPatiently, releaseQueues } from './queue-claims.ts'
import * as queueQueries from './queue-queries.ts'
import { type EmptiedQueue, emptyQueue, putBack, takeBackAgain } from './queue-surgery.ts'
import { awaitStillness, type NetworkQueue, openQueue, type QueueLook } from './still-queue.ts'

/**
 * The result of a cancel. `nothing`: no downlink waits any more. `too_late`: the network was just
 * sending the downlink, or its queue kept changing. `busy`: the queue was claimed, for example for
 * a hand-over. `unreachable`: the network holds the downlink, or may hold it, and could not be
 * called.
 */
export type Cancellation = 'cancelled' | 'nothing' | 'too_late' | 'busy' | 'unreachable'

/** Also records, in the transaction that cancels, who has done it. */
interface CancelServices extends ConnectionServices {
  record?: RecordChange
}

/**
 * Cancels the newest downlink of a device that waits here or at the network. Returns `cancelled`
 * only if the downlink can no longer be sent. With any other result, the downlink is not stopped.
 */
export function cancelNewest(
  services: CancelServices,
  organizationId: number,
  deviceId: number,
): Promise<Cancellation> {
  return cancel(services, organizationId, deviceId, (waiting) => waiting.at(-1))
}

/** Cancels this downlink of a device, and no other. Results are those of `cancelNewest`. */
export function cancelChosen(
  services: CancelServices,
  organizationId: number,
  deviceId: number,
  id: number,
): Promise<Cancellation> {
  return cancel(services, organizationId, deviceId, (waiting) =>
    waiting.find((downlink) => downlink.id === id),
  )
}

type Choose = (waiting: readonly StoredDownlink[]) => StoredDownlink | undefined

async function cancel(
  services: CancelServices,
  organizationId: number,
  deviceId: number,
  choose: Choose,
): Promise<Cancellation> {
  const chosen = choose(await listCancellable(services.db, organizationId, deviceId))
  if (!chosen) return 'nothing'
  const note = async (isUnderWay: boolean) => {
    await downlinkQueries.noteCancel(services.db, chosen, isUnderWay)
    announce(services, organizationId, { kind: 'downlink', id: deviceId })
  }
  await note(true)
  try {
    const claim = await claimPatiently(services, organizationId, deviceId)
    return claim ? await cancelAndRelease(services, claim, choose) : 'busy'
  } finally {
    await note(false)
  }
}

async function cancelAndRelease(
  services: CancelServices,
  claim: queueQueries.QueueClaim,
  choose: Choose,
): Promise<Cancellation> {
  try {
    return await cancelClaimed(services, claim, choose)
  } catch (error) {
    if (error instanceof queueQueries.ClaimLost) return 'busy'
    if (!(error instanceof NetworkError)) throw error
    services.log.warn({ device: claim.device_id, reason: error.message }, 'network')
    return 'unreachable'
  } finally {
    await releaseQueues(services, [claim])
  }
}

/** Those that wait, and those that wait again since the device did not acknowledge them. */
async function listCancellable(
  db: Queryable,
  organizationId: number,
  deviceId: number,
): Promise<StoredDownlink[]> {
  const repeated = await downlinkQueries.listRepeated(db, organizationId, deviceId)
  const waiting = await downlinkQueries.listWaiting(db, organizationId, deviceId)
  return [...repeated, ...waiting]
}

/**
 * A downlink that is no longer in the network's queue was sent or removed there. Then the next one
 * of those that remain is chosen.
 */
async function cancelClaimed(
  services: CancelServices,
  claim: queueQueries.QueueClaim,
  choose: Choose,
): Promise<Cancellation> {
  const { db } = services
  const { organization_id, device_id } = claim
  let gone: readonly number[] = []
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const waiting = await listCancellable(db, organization_id, device_id)
    const chosen = choose(waiting.filter(({ id }) => !gone.includes(id)))
    if (!chosen) return 'nothing'
    const outcome = await cancelOne(services, claim, chosen)
    if (!('gone' in outcome)) return outcome.cancellation
    gone = outcome.gone
  }
  return 'nothing'
}

/**
 * The result of the cancel. Or `gone`: the downlink has left the network's queue. `gone` holds the
 * ids of the downlinks that left it and may still be reported as sent.
 */
type Outcome = { cancellation: Cancellation } | { gone: readonly number[] }

async function cancelOne(
  services: CancelServices,
  claim: queueQueries.QueueClaim,
  downlink: StoredDownlink,
): Promise<Outcome> {
  const { db } = services
  const isHereAlone = downlink.state === 'queued' && !downlink.is_uncertain
  if (isHereAlone) return close(services, whileHeld(claim), downlink)
  const route = await queueQueries.findRoute(db, claim.organization_id, claim.device_id)
  if (!route) return { cancellation: 'unreachable' }
  const queue = await openQueue(services, route, claim)
  // Without a list of the queue, it stays unknown whether the network has the downlink. The sender
  // resolves this with another hand-over.
  const { connection } = queue
  if (downlink.state === 'queued' && !connection.listDownlinks) {
    return { cancellation: 'unreachable' }
  }
  const target = downlink.state === 'queued' ? await adopt(services, queue, downlink) : downlink
  if (!target) return close(services, whileHeld(claim), downlink)
  if (connection.cancelDownlink) return cancelAlone(services, queue, target)
  if (!connection.flushDownlinks) return { cancellation: 'nothing' }
  return cancelByEmptying(services, queue, target)
}

/** How many attempts a cancel makes while the queue keeps changing. */
const mostAttempts = 2

async function cancelByEmptying(
  services: CancelServices,
  queue: NetworkQueue,
  target: StoredDownlink,
): Promise<Outcome> {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const look = await awaitStillness(services, queue, target)
    if (look === 'too_late') return { cancellation: 'too_late' }
    if (look === 'pending') return { cancellation: 'nothing' }
    if ('gone' in look) return settleGone(services, queue, look.gone)
    const emptied = await emptyQueue(services, queue, target, look)
    if (!emptied) continue
    const outcome = await decide(services, queue, target, emptied).catch(async (error) => {
      if (error instanceof queueQueries.ClaimLost) await takeBackAgain(services, queue, emptied)
      throw error
    })
    await putBack(services, queue, emptied)
    return outcome
  }
  return { cancellation: 'too_late' }
}

/** The item was sent and the network's report is on its way, or the item was removed there. */
async function settleGone(
  services: CancelServices,
  { claim }: NetworkQueue,
  { items, session }: QueueLook,
): Promise<Outcome> {
  return { gone: await settleMissing(services, claim, { items, session }) }
}

/**
 * Looks for a downlink whose hand-over has an unknown outcome, and records that the network holds
 * it. Returns undefined if the network does not hold it.
 */
async function adopt(
  { db }: ConnectionServices,
  { eui, connection }: NetworkQueue,
  downlink: StoredDownlink,
): Promise<StoredDownlink | undefined> {
  const itemId = await findAtNetwork(db, connection, eui, downlink)
  if (itemId === undefined) return undefined
  await db.transaction(async (tx) => {
    await queueQueries.lockQueue(tx, downlink.organization_id, downlink.device_id)
    await noteHandOver(tx, downlink, itemId)
  })
  return { ...downlink, queue_item_id: itemId }
}

/**
 * `cancelDownlink` returns false if the item is no longer in the network's queue. Then it was sent
 * and its report is on the way, or it was removed there.
 */
async function cancelAlone(
  services: CancelServices,
  queue: NetworkQueue,
  target: StoredDownlink,
): Promise<Outcome> {
  const { eui, connection, claim } = queue
  await queueQueries.requireHeld(services.db, claim)
  const isTakenOut = await connection.cancelDownlink?.(eui, target.queue_item_id ?? '')
  // The network does not have it any more, whoever has the claim.
  if (isTakenOut) return close(services, (tx) => requireItem(tx, target), target)
  // It is on its way again. If the device does not acknowledge it, it waits in the queue again.
  if (target.state === 'sent') return { cancellation: 'too_late' }
  const items = await connection.listDownlinks?.(eui)
  if (!items) return { cancellation: 'nothing' }
  return settleGone(services, queue, { items, session: undefined })
}

/**
 * The item is no longer in the network's queue. It was removed unsent, or it was sent during the
 * cancel.
 */
async function decide(
  services: CancelServices,
  { claim }: NetworkQueue,
  target: StoredDownlink,
  { mayHaveGone }: EmptiedQueue,
): Promise<Outcome> {
  if (!mayHaveGone.has(target.queue_item_id ?? '')) return close(services, whileHeld(claim), target)
  const now = await downlinkQueries.find(services.db, target.organization_id, target.id)
  // Without a report from the network the downlink stays queued and is sent again. To send a
  // downlink twice does less harm than to report it as cancelled although it arrives.
  return { cancellation: now?.state === 'queued' ? 'too_late' : 'nothing' }
}

/** @throws ClaimLost when the downlink must not be called cancelled. */
type Requirement = (tx: Queryable) => Promise<void>

/** Whoever has lost the claim does not know what another process has done with the downlink. */
function whileHeld(claim: queueQueries.QueueClaim): Requirement {
  return (tx) => queueQueries.requireHeld(tx, claim)
}

/** Another process has not handed it over again. */
async function requireItem(tx: Queryable, target: StoredDownlink): Promise<void> {
  const now = await downlinkQueries.find(tx, target.organization_id, target.id)
  const isWithNetwork = now?.state === 'handed_over' || now?.state === 'sent'
  if (isWithNetwork && now.queue_item_id === target.queue_item_id) return
  throw new queueQueries.ClaimLost()
}

async function close(
  { db, record }: CancelServices,
  required: Requirement,
  downlink: StoredDownlink,
): Promise<Outcome> {
  return db.transaction(async (tx) => {
    await queueQueries.lockQueue(tx, downlink.organization_id, downlink.device_id)
    await required(tx)
    const isCancelled =
      downlink.state === 'sent'
        ? await endRepeated(tx, downlink)
        : await advance(tx, downlink, 'cancelled')
    if (isCancelled) await record?.(tx)
    return { cancellation: isCancelled ? 'cancelled' : 'nothing' }
  })
}

export const cancellationChange = changeOf('downlink', 'cancelled', 'device')
