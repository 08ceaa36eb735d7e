import type { Queryable } from '../../../db/connect.ts'
import { isoTimeOf } from '../../../http/timestamps.ts'
import { queueRegistration } from '../../outgoing/events/webhook-event-queries.ts'
import type { RegisterMethod } from '../connections/account-queries.ts'
import { type MoveEnding, type MoveKey, withStep } from './move-queries.ts'

/** How moves end: done, put back, or with their device (docs/decisions/0037-moves.md). */

/**
 * Begins to put a device back. It ends at once where no call about it was ever made. Returns false
 * when the new network has heard the device already.
 */
export async function beginPuttingBack(
  tx: Queryable,
  key: MoveKey,
  { ending, message, now }: { ending: MoveEnding; message: string; now: Date },
): Promise<boolean> {
  const { organizationId, moveId } = key
  const begun = await tx.query(
    `update device_moves set state = 'putting_back', ending = $4, message = $5,
       due_at = $3::text::timestamptz, ${withStep("'putting_back'", '$3', '$5')}
     where organization_id = $1 and id = $2 and state in ('preparing', 'waiting')
     returning id`,
    [organizationId, moveId, isoTimeOf(now), ending, message],
  )
  if (begun.length === 0) return false
  const withdrawn = await tx.query<{ is_untried: boolean }>(
    `delete from provisioning as calls
     using device_moves as moves
     where calls.organization_id = $1 and calls.move_id = $2 and calls.action = 'add'
       and ${isUnclaimed('$3')} and moves.organization_id = $1 and moves.id = $2
     returning ${isUntried} as is_untried`,
    [organizationId, moveId, now],
  )
  if (withdrawn.some(({ is_untried }) => is_untried)) await endPuttingBack(tx, key, { now })
  return true
}

/** SQL: a call that was written again after the first may have been made before. */
const isUntried = '(calls.attempts = 0 and calls.created_at = moves.created_at)'

function isUnclaimed(now: string): string {
  return `(calls.claimed_until is null or calls.claimed_until < ${now})`
}

/** The device is only at its old network, as before the move. */
export async function endPuttingBack(
  tx: Queryable,
  { organizationId, moveId }: MoveKey,
  { now, message = null }: { now: Date; message?: string | null },
): Promise<void> {
  const ended = await tx.query<{ device_id: number }>(
    `update device_moves set state = ending, finished_at = $3::timestamptz, ${forgotten},
       message = concat_ws(' ', message, $4::text), ${withStep('ending', '$5', '$4')}
     where organization_id = $1 and id = $2 and state = 'putting_back'
     returning device_id`,
    [organizationId, moveId, now, message, isoTimeOf(now)],
  )
  if (ended.length === 0) return
  const ids = ended.map(({ device_id }) => device_id)
  await unmark(tx, organizationId, ids)
  await tx.query('delete from provisioning where organization_id = $1 and move_id = $2', [
    organizationId,
    moveId,
  ])
}

/** SQL: what a move needs no more when it is over. */
const forgotten = 'due_at = null, sealed_key = null'

/** These devices move no more: messages of their other networks are not theirs any longer. */
async function unmark(
  tx: Queryable,
  organizationId: number,
  deviceIds: readonly number[],
): Promise<void> {
  await tx.query(
    `update devices set other_network = null, other_method = null
     where organization_id = $1 and id = any($2::bigint[])`,
    [organizationId, deviceIds],
  )
}

/** A device whose move is done. */
export interface MovedDevice {
  id: number
  eui: string
  network: string
  register_method: RegisterMethod
}

interface FinishedMove {
  device_id: number
  from_network: string
  from_method: string
  to_network: string
  to_method: string
  gateway_id: number | null
  app_region: string | null
  frequency_plan: string | null
}

/**
 * The old network has the device no more: from now on the new one is its network. `sealedKey`: the
 * key that the new one was told, where it is not that of the device.
 */
export async function finishMove(
  tx: Queryable,
  { organizationId, moveId }: MoveKey,
  { now, message, sealedKey }: { now: Date; message: string | null; sealedKey: Buffer | null },
): Promise<MovedDevice | undefined> {
  const [ended] = await tx.query<FinishedMove>(
    `update device_moves set state = 'done', finished_at = $3::timestamptz, message = $4::text,
       ${forgotten}, ${withStep("'done'", '$5', '$4')}
     where organization_id = $1 and id = $2 and state = 'completing'
     returning device_id, from_network, from_method, to_network, to_method, gateway_id, app_region,
       frequency_plan`,
    [organizationId, moveId, now, message, isoTimeOf(now)],
  )
  if (!ended) return undefined
  await dropCalls(tx, organizationId, moveId, ended)
  const moved = await tx.query<MovedDevice>(
    `with before as materialized (
       select id, register_status from devices
       where organization_id = $1 and id = $2 and deleted_at is null
       for no key update
     ), moved as (
       update devices set network = $3, register_method = $4, gateway_id = $5, app_region = $6,
         frequency_plan = $7, network_profile = null, other_network = null, other_method = null,
         is_console_only = false, sealed_key = coalesce($8::bytea, devices.sealed_key),
         register_status = 'active', register_error = null, is_refused = false, updated_at = $9
       from before
       where devices.organization_id = $1 and devices.id = before.id
       returning devices.organization_id, devices.id, devices.eui, devices.network,
         devices.register_method, before.register_status <> 'active' as is_told
     ), told as (${queueRegistration('moved', { status: "'active'", condition: 'is_told' })})
     select id, eui, network, register_method from moved`,
    [
      organizationId,
      ended.device_id,
      ended.to_network,
      ended.to_method,
      ended.gateway_id,
      ended.app_region,
      ended.frequency_plan,
      sealedKey,
      now,
    ],
  )
  return moved[0]
}

/**
 * Drops the calls of a move that is done, and those to the old network: a change that was made while
 * the device was taken from there would bring it back.
 */
async function dropCalls(
  tx: Queryable,
  organizationId: number,
  moveId: number,
  { device_id, from_network, from_method }: FinishedMove,
): Promise<void> {
  await tx.query(
    `delete from provisioning
     where organization_id = $1 and device_id = $2 and (
       move_id = $3 or move_id is null and network = $4 and register_method = $5
     )`,
    [organizationId, device_id, moveId, from_network, from_method],
  )
}

/** A device that is deleted during its move, and the other network that may have it. */
export interface AbandonedMove {
  device_id: number
  network: string
  register_method: RegisterMethod
}

/**
 * Ends the moves of devices that are deleted, and withdraws first calls that were never tried. Returns
 * the devices that their new networks may have.
 */
export async function abandonMoves(
  tx: Queryable,
  organizationId: number,
  deviceIds: readonly number[],
  now: Date,
): Promise<AbandonedMove[]> {
  const untried = await tx.query<{ device_id: number }>(
    `delete from provisioning as calls
     using device_moves as moves
     where calls.organization_id = $1 and calls.device_id = any($2::bigint[])
       and moves.organization_id = $1 and moves.id = calls.move_id and moves.state = 'preparing'
       and ${isUntried} and ${isUnclaimed('$3')}
     returning calls.device_id`,
    [organizationId, deviceIds, now],
  )
  const words = "'The device was deleted.'"
  const ended = await tx.query<AbandonedMove>(
    `update device_moves set state = 'cancelled', finished_at = $3::timestamptz, ${forgotten},
       message = ${words}, ${withStep("'cancelled'", '$4', words)}
     where organization_id = $1 and device_id = any($2::bigint[]) and finished_at is null
     returning device_id, to_network as network, to_method as register_method`,
    [organizationId, deviceIds, now, isoTimeOf(now)],
  )
  const ids = ended.map(({ device_id }) => device_id)
  if (ids.length > 0) await unmark(tx, organizationId, ids)
  const unknown = new Set(untried.map(({ device_id }) => device_id))
  return ended.filter(({ device_id }) => !unknown.has(device_id))
}

/** The owner gave these devices new keys: these replace the ones with which they move. */
export async function forgetKeysOfMoves(
  tx: Queryable,
  organizationId: number,
  deviceIds: readonly number[],
): Promise<void> {
  if (deviceIds.length === 0) return
  await tx.query(
    `update device_moves set sealed_key = null
     where organization_id = $1 and device_id = any($2::bigint[]) and finished_at is null`,
    [organizationId, deviceIds],
  )
}
