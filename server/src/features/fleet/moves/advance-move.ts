import type { Queryable } from '../../../db/connect.ts'
import type { Sealer } from '../../../db/seal.ts'
import { findNetwork } from '../../../networks/index.ts'
import type { RegisterMethod } from '../../accounts/connections/account-queries.ts'
import { findHindrances } from '../../accounts/provisioning/hindrances.ts'
import {
  beginPuttingBack,
  endPuttingBack,
} from '../../accounts/provisioning/move-ending-queries.ts'
import { completeMove } from '../../accounts/provisioning/move-outcomes.ts'
import {
  lockMove,
  type MoveKey,
  noteAtNewNetwork,
  type OpenMove,
} from '../../accounts/provisioning/move-queries.ts'
import { type Call, enqueueAll } from '../../accounts/provisioning/outbox-queries.ts'
import { switchQueue } from '../../downlinks/queue-switch-queries.ts'
import { awaitCall, hasAccount, hasCall, setMessage } from './move-step-queries.ts'

/** An account's network and register method. */
interface Place {
  network: string
  register_method: RegisterMethod
}

/**
 * Takes the next step of a move, as far as it is due. The work follows only from the stored
 * state, so it can be called at any time, by any process, and goes on where one died.
 */
export async function advanceMove(
  tx: Queryable,
  sealer: Sealer,
  key: MoveKey,
  now: Date,
): Promise<void> {
  const move = await lockMove(tx, key, now)
  if (!move) return
  if (move.is_expired && (move.state === 'preparing' || move.state === 'waiting')) {
    const message = `${nameOf(move.to_network)} has not heard the device in the time of the move.`
    await beginPuttingBack(tx, key, { ending: 'expired', message, now })
    return advanceMove(tx, sealer, key, now)
  }
  if (move.state === 'preparing') await prepare(tx, key, move, now)
  if (move.state === 'completing') await complete(tx, sealer, move, now)
  if (move.state === 'putting_back') await putBack(tx, key, move, now)
}

async function prepare(tx: Queryable, key: MoveKey, move: OpenMove, now: Date): Promise<void> {
  const place = newPlace(move)
  if (isByHand(place)) {
    const name = nameOf(place.network)
    const message = `Create the device at ${name} by hand, with the DevEUI ${move.eui}, the JoinEUI ${move.join_eui} and its key. Its first uplink through ${name} completes the move.`
    const isHeard = await hasAccount(tx, key.organizationId, place)
    const first = isHeard
      ? ''
      : `There is no account at ${name} yet: connect one, so that its uplinks come. `
    return noteAtNewNetwork(tx, key, { now, message: first + message })
  }
  if (await hasCall(tx, move, 'add')) return
  await enqueueAll(tx, key.organizationId, [callOf(move, place, 'add')], now)
  const hindranceOf = await findHindrances(tx, key.organizationId)
  const hindrance = hindranceOf({ kind: 'device', ...place })
  if (hindrance) await setMessage(tx, key, hindrance.reason)
}

/** The old network is asked to forget the device only when all downlinks go to the new one. */
async function complete(tx: Queryable, sealer: Sealer, move: OpenMove, now: Date): Promise<void> {
  if (!(await switchQueue(tx, move, newPlace(move), now))) return
  const place = { network: move.from_network, register_method: move.from_method }
  const name = nameOf(place.network)
  if (move.is_console_only || isByHand(place)) {
    return completeMove(tx, sealer, move, { now, message: `Delete the device at ${name} by hand.` })
  }
  if (!(await hasAccount(tx, move.organization_id, place))) {
    const message = `There is no account at ${name} any more: delete the device there by hand.`
    return completeMove(tx, sealer, move, { now, message })
  }
  await take(tx, move, place, now)
}

async function putBack(tx: Queryable, key: MoveKey, move: OpenMove, now: Date): Promise<void> {
  const place = newPlace(move)
  const name = nameOf(place.network)
  if (isByHand(place)) {
    return endPuttingBack(tx, key, { now, message: `Delete the device at ${name} by hand.` })
  }
  if (!(await hasAccount(tx, key.organizationId, place))) {
    const message = `There is no account at ${name}: delete the device there if it is there.`
    return endPuttingBack(tx, key, { now, message })
  }
  await take(tx, move, place, now)
}

/** Takes the device from one of its networks. */
async function take(tx: Queryable, move: OpenMove, place: Place, now: Date): Promise<void> {
  if (!(await hasCall(tx, move, 'remove'))) {
    await enqueueAll(tx, move.organization_id, [callOf(move, place, 'remove')], now)
  }
  await awaitCall(tx, move)
}

function callOf(move: OpenMove, place: Place, action: 'add' | 'remove'): Call {
  const { device_id: id, eui } = move
  return { kind: 'device', id, eui, ...place, action, move_id: move.id }
}

function newPlace({ to_network, to_method }: OpenMove): Place {
  return { network: to_network, register_method: to_method }
}

function isByHand({ network }: Place): boolean {
  return findNetwork(network)?.capabilities.registration === 'by_hand'
}

function nameOf(network: string): string {
  return findNetwork(network)?.name ?? network
}
