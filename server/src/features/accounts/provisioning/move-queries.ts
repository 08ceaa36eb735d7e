import type { Queryable } from '../../../db/connect.ts'
import { isoTimeOf } from '../../../http/timestamps.ts'
import type { RegisterMethod } from '../connections/account-queries.ts'

/**
 * What the outbox, uplinks and deletions say about moves from one network to another
 * (docs/decisions/0037-moves.md). Each change names the states that it may follow, so that it can be
 * repeated, and two that meet take turns. Writers lock the device before its move.
 */

export type MoveEnding = 'expired' | 'cancelled' | 'failed'
export type OpenState = 'preparing' | 'waiting' | 'completing' | 'putting_back'

/** A move that is not over. */
export interface OpenMove {
  id: number
  organization_id: number
  device_id: number
  eui: string
  join_eui: string
  from_network: string
  from_method: RegisterMethod
  to_network: string
  to_method: RegisterMethod
  state: OpenState
  ending: MoveEnding | null
  message: string | null
  is_console_only: boolean
  is_expired: boolean
  /** The key of its request; null where the device has its own. */
  sealed_key: Buffer | null
  /** Of the device, when the move began and now. */
  stamp: string
  device_stamp: string
}

/** Names a move. */
export interface MoveKey {
  organizationId: number
  moveId: number
}

/** SQL: adds a step to the history of a move. `at` and `message` are texts. */
export function withStep(state: string, at: string, message: string): string {
  return `steps = device_moves.steps || jsonb_build_array(
    jsonb_build_object('state', ${state}::text, 'at', ${at}::text, 'message', ${message}::text)
  )`
}

/** SQL: the history of a move that begins. */
export function withFirstStep(at: string): string {
  return `jsonb_build_array(
    jsonb_build_object('state', 'preparing', 'at', ${at}::text, 'message', null)
  )`
}

/** SQL: a hash of what a network is told of a row of `devices`. */
export const stampOfDevice = `md5(devices.name || coalesce(devices.sealed_key::text, ''))`

/** What a step of a move needs of its device. */
type DeviceOfMove = Pick<OpenMove, 'eui' | 'join_eui' | 'is_console_only' | 'device_stamp'>

/**
 * Locks the device of an open move and the move. Undefined when the move is over. One statement for
 * each table: they may be on different machines.
 */
export async function lockMove(
  tx: Queryable,
  { organizationId, moveId }: MoveKey,
  now: Date,
): Promise<OpenMove | undefined> {
  const key = [organizationId, moveId]
  const [found] = await tx.query<{ device_id: number }>(
    'select device_id from device_moves where organization_id = $1 and id = $2',
    key,
  )
  const [device] = await tx.query<DeviceOfMove>(
    `select eui, join_eui, is_console_only, ${stampOfDevice} as device_stamp from devices
     where organization_id = $1 and id = $2
     for update`,
    [organizationId, found?.device_id ?? 0],
  )
  const [move] = await tx.query<Omit<OpenMove, keyof DeviceOfMove>>(
    `select id, organization_id, device_id, from_network, from_method, to_network, to_method, state,
       ending, message, sealed_key, stamp, expires_at <= $3 as is_expired
     from device_moves
     where organization_id = $1 and id = $2 and finished_at is null
     for update`,
    [...key, now],
  )
  return device && move && { ...move, ...device }
}

/** The device is at the new network: its first uplink from there is waited for. */
export async function noteAtNewNetwork(
  tx: Queryable,
  { organizationId, moveId }: MoveKey,
  { now, message }: { now: Date; message: string | null },
): Promise<void> {
  await tx.query(
    `update device_moves set state = 'waiting', message = $4,
       ${withStep("'waiting'", '$3', '$4')}
     where organization_id = $1 and id = $2 and state = 'preparing'`,
    [organizationId, moveId, isoTimeOf(now), message],
  )
}

export interface HeardDevice {
  organizationId: number
  deviceId: number
  /** ISO 8601 in UTC. */
  at: string
}

/** The new network has heard these devices: each is taken from its old network. */
export async function noteHeardByNew(tx: Queryable, heard: readonly HeardDevice[]): Promise<void> {
  if (heard.length === 0) return
  await tx.query(
    `update device_moves set state = 'completing', message = null,
       heard_at = heard.moment::timestamptz, due_at = heard.moment::timestamptz,
       ${withStep("'completing'", 'heard.moment', 'null')}
     from (
       select organization_id, device_id, min(moment) as moment
       from unnest($1::bigint[], $2::bigint[], $3::text[]) as given (organization_id, device_id, moment)
       group by organization_id, device_id
     ) as heard
     where device_moves.organization_id = heard.organization_id
       and device_moves.device_id = heard.device_id
       and device_moves.state in ('preparing', 'waiting')`,
    [
      heard.map(({ organizationId }) => organizationId),
      heard.map(({ deviceId }) => deviceId),
      heard.map(({ at }) => at),
    ],
  )
}

/** Deletes a call that was made. */
export async function endCall(tx: Queryable, organizationId: number, id: number): Promise<void> {
  await tx.query('delete from provisioning where organization_id = $1 and id = $2', [
    organizationId,
    id,
  ])
}

/** A call of a move could not be made, or was refused: it waits until `nextAttemptAt`. */
export async function postponeMove(
  tx: Queryable,
  { organizationId, moveId }: MoveKey,
  call: { id: number; nextAttemptAt: Date; reason: string; shown: string },
): Promise<void> {
  await tx.query(
    `with put_off as (
       update provisioning set claimed_until = null, next_attempt_at = $4, last_error = $5
       where organization_id = $1 and id = $3
     )
     update device_moves set message = $6
     where organization_id = $1 and id = $2 and state in ('preparing', 'completing', 'putting_back')`,
    [organizationId, moveId, call.id, call.nextAttemptAt, call.reason, call.shown],
  )
}
