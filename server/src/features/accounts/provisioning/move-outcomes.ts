import type { Database, Queryable } from '../../../db/connect.ts'
import type { Sealer } from '../../../db/seal.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import { findNetwork } from '../../../networks/index.ts'
import type { NetworkError } from '../../../networks/network-error.ts'
import { isFinal, nextAttemptAt } from '../connections/attempts.ts'
import { beginPuttingBack, endPuttingBack, finishMove } from './move-ending-queries.ts'
import {
  endCall,
  lockMove,
  type MoveKey,
  noteAtNewNetwork,
  type OpenMove,
  postponeMove,
} from './move-queries.ts'
import { enqueueAll, type ProvisioningTask, shownOf } from './outbox-queries.ts'

/** A call that is a step of a move. */
export type MoveTask = ProvisioningTask & { move_id: number }

export function isOfMove(task: ProvisioningTask): task is MoveTask {
  return task.move_id !== null
}

/** Stores that a call of a move succeeded, and what follows from it. */
export async function takeMoveSuccess(
  { db, sealer }: { db: Database; sealer: Sealer },
  task: MoveTask,
  now: Date,
): Promise<void> {
  const key = keyOf(task)
  await db.transaction(async (tx) => {
    const move = await lockMove(tx, key, now)
    await endCall(tx, key.organizationId, task.id)
    if (!move) return
    if (task.action === 'add') await noteAtNewNetwork(tx, key, { now, message: null })
    else if (move.state === 'completing') await completeMove(tx, sealer, move, { now })
    else if (move.state === 'putting_back') await endPuttingBack(tx, key, { now })
  })
}

/**
 * Stores that a call of a move failed. A new network that refuses the device ends the move: it is put
 * back. A network that refuses to forget the device is asked again and again, and the move says so.
 */
export async function takeMoveFailure(
  db: Database,
  task: MoveTask,
  error: NetworkError,
  now: Date,
): Promise<void> {
  const key = keyOf(task)
  const { id, action, attempts } = task
  await db.transaction(async (tx) => {
    const move = await lockMove(tx, key, now)
    const message = shownOf(task, error.message)
    if (action === 'add' && (isFinal(error) || move?.state !== 'preparing')) {
      await endCall(tx, key.organizationId, id)
      if (move?.state !== 'preparing') return
      await beginPuttingBack(tx, key, { ending: 'failed', message, now })
      return
    }
    await postponeMove(tx, key, {
      id,
      reason: error.message,
      shown: message,
      nextAttemptAt: nextAttemptAt(now, attempts, error),
    })
  })
}

/** Stores that a call of a move could not be made, for a reason of our own. */
export async function postponeMoveCall(db: Database, task: MoveTask, now: Date): Promise<void> {
  const reason = 'internal error'
  await postponeMove(db, keyOf(task), {
    id: task.id,
    reason,
    shown: reason,
    nextAttemptAt: nextAttemptAt(now, task.attempts),
  })
}

/** Ends a move whose device its old network no longer has. The new one is told what has changed. */
export async function completeMove(
  tx: Queryable,
  sealer: Sealer,
  move: OpenMove,
  { now, message = null }: { now: Date; message?: string | null },
): Promise<void> {
  const { organization_id: organizationId, id: moveId, device_id: deviceId } = move
  const sealedKey =
    move.sealed_key &&
    sealer.seal(
      sealer.open(move.sealed_key, sealContext('movingDeviceKey', deviceId)),
      sealContext('deviceKey', deviceId),
    )
  const moved = await finishMove(tx, { organizationId, moveId }, { now, message, sealedKey })
  if (!moved || move.stamp === move.device_stamp) return
  const rekeys = findNetwork(moved.network)?.capabilities.rekeys === true
  const action = rekeys ? 'add' : 'rename'
  const call = { ...moved, kind: 'device', action, replaces_key: rekeys } as const
  await enqueueAll(tx, organizationId, [call], now)
}

function keyOf({ organization_id: organizationId, move_id: moveId }: MoveTask): MoveKey {
  return { organizationId, moveId }
}
