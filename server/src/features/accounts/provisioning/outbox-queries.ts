import type { Queryable } from '../../../db/connect.ts'
import type { DeviceRadio } from '../../../networks/device-radio.ts'
import type { NetworkPlace } from '../../../networks/network.ts'
import type { TypeOrigin } from '../../fleet/device-types/type-origin.ts'
import { queueRegistration } from '../../outgoing/events/webhook-event-queries.ts'
import { operatorOrganization } from '../connections/account-name.ts'
import type { ClaimedAccount } from '../connections/connections.ts'

type ProvisioningAction = 'add' | 'rename' | 'remove'

/** The kinds of things that are registered at a network. */
export type Kind = 'device' | 'gateway'

/** The values of a device or gateway that the outbox needs. */
export interface ProvisioningTarget {
  kind: Kind
  id: number
  /** In its normal form. */
  eui: string
  network: string
  register_method: string
}

interface TaskOf<K extends Kind> extends ClaimedAccount {
  kind: K
  id: number
  organization_id: number
  network: string
  register_method: string
  account_id: number
  /** The id of the device or gateway. */
  target_id: number
  eui: string
  name: string
  action: ProvisioningAction
  /** Where a person says that it is. */
  position: NetworkPlace | null
  /** The number of attempts, with this one. */
  attempts: number
  /** The move of which the call is a step; null for all other calls. */
  move_id: number | null
}

/** A call to a network that is still to be made, with the values that it needs. */
export type ProvisioningTask = DeviceTask | GatewayTask

export interface DeviceTask extends TaskOf<'device'> {
  join_eui: string
  app_region: string | null
  frequency_plan: string | null
  /** Null when the device was adopted from its network without its key. */
  sealed_key: Buffer | null
  /** A person asked to replace the key that the network has. */
  replaces_key: boolean
  /** The key of the move of which the call is a step; null where the device has its own. */
  moving_key: Buffer | null
  type_id: number
  /** The model that the type was made of; null for others. */
  type_origin: TypeOrigin | null
  /** Null for LoRaWAN 1.0.x and class A with a join. */
  radio: Omit<DeviceRadio, 'networkKey'> | null
  sealed_network_key: Buffer | null
  /** Of the device itself, or null; then those of the account, by device type. */
  network_profile: string | null
  device_profiles: Record<string, string>
}

export interface GatewayTask extends TaskOf<'gateway'> {
  region: string | null
  description: string | null
  settings: Record<string, string>
}

/** A call that a network is to receive. */
export type Call = ProvisioningTarget &
  Pick<ProvisioningTask, 'action'> & { move_id?: number; replaces_key?: boolean }

/** Adds calls to the outbox, in this order. */
export async function enqueueAll(
  tx: Queryable,
  organizationId: number,
  calls: readonly Call[],
  now: Date,
): Promise<void> {
  if (calls.length === 0) return
  await tx.query(
    `insert into provisioning (
       organization_id, network, register_method, device_id, gateway_id, eui, action, move_id,
       replaces_key, next_attempt_at, created_at
     )
     select $1, network, register_method, case kind when 'device' then id end,
       case kind when 'gateway' then id end, eui, action, move_id,
       coalesce(replaces_key, false), $3, $3
     from rows from (
       json_to_recordset($2) as (
         kind text, network text, register_method text, id bigint, eui text, action text,
         move_id bigint, replaces_key boolean
       )
     ) with ordinality
     order by ordinality`,
    [organizationId, JSON.stringify(calls), now],
  )
}

/**
 * Deletes the calls for these devices or gateways, except calls that are in progress. Returns the
 * ids of those that no network can have: pending ones whose first call was never tried. (A device
 * or gateway whose status is an error may exist at the network: perhaps only its new name was
 * refused.)
 */
export async function withdrawAll(
  tx: Queryable,
  organizationId: number,
  { kind, ids }: { kind: Kind; ids: readonly number[] },
  now: Date,
): Promise<Set<number>> {
  const rows = await tx.query<{ id: number }>(
    `with withdrawn as (
       delete from provisioning
       where organization_id = $1 and ${kind}_id = any($2)
         and (claimed_until is null or claimed_until < $3)
       returning ${kind}_id as id, action, attempts, move_id
     )
     select distinct targets.id from withdrawn
     join ${kind}s as targets on targets.organization_id = $1 and targets.id = withdrawn.id
     where withdrawn.action = 'add' and withdrawn.attempts = 0 and withdrawn.move_id is null
       and targets.register_status = 'pending'`,
    [organizationId, ids, now],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Returns those of the EUIs that still have a call to the account's network in the outbox. */
export async function findBusy(
  tx: Queryable,
  account: { organization_id: number; network: string; register_method: string },
  kind: Kind,
  euis: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ eui: string }>(
    `select eui from provisioning
     where network = $2 and register_method = $3 and (organization_id = $1 or $3 = 'vendor')
       and eui = any($4) and (gateway_id is not null) = ($5 = 'gateway')`,
    [account.organization_id, account.network, account.register_method, euis, kind],
  )
  return new Set(rows.map(({ eui }) => eui))
}

/**
 * Records successful calls for devices, or for gateways, of one organization: deletes the calls, and
 * sets what was not removed to active.
 */
export async function succeedAll(
  db: Queryable,
  kind: Kind,
  tasks: readonly ProvisioningTask[],
): Promise<void> {
  const [first] = tasks
  if (!first) return
  const kept = tasks.filter(({ action }) => action !== 'remove')
  await db.query(
    `with done as (
       delete from provisioning where id = any($3::bigint[])
     ), changed as (
       update ${kind}s set register_status = 'active', register_error = null${isAccepted(kind)}
       where id = any($2::bigint[]) and organization_id = $1
       returning organization_id, id
     )
     ${toldIfDevice(kind, { status: "'active'", condition: 'id = any($4::bigint[])' })}`,
    [
      first.organization_id,
      kept.map(({ target_id }) => target_id),
      tasks.map(({ id }) => id),
      kept.filter(({ action }) => action === 'add').map(({ target_id }) => target_id),
    ],
  )
}

/** SQL: a network has taken the registration of a device. */
function isAccepted(kind: Kind): string {
  return kind === 'device' ? ', is_refused = false' : ''
}

/** SQL: a network has refused the registration of a device, and not just a change of it. */
function isRefused({ kind, action }: ProvisioningTask): string {
  if (kind !== 'device' || action !== 'add') return ''
  return " is_refused = is_refused or register_status = 'pending',"
}

/** The last part of a statement that has `changed` devices or gateways. */
function toldIfDevice(kind: Kind, words: { status: string; message?: string; condition?: string }) {
  if (kind === 'device') return queueRegistration('changed', words)
  return `select from changed where ${words.condition ?? 'true'}`
}

/**
 * Records a refused call: deletes it unless it is a removal by now, and stores the message of the network with the device or
 * gateway. If an `add` was refused, waiting renames are deleted too: there is nothing to rename,
 * and their errors would hide the reason. If a `rename` was refused, the device or gateway keeps its
 * status: an active one stays active under its old name.
 */
export async function refuse(db: Queryable, task: ProvisioningTask, words: string): Promise<void> {
  const [table, target] = [`${task.kind}s`, `${task.kind}_id`]
  const names = task.action === 'add' ? 'rename' : null
  await db.query(
    `with done as (
       delete from provisioning
       where id = $3 and action = $7 or ${target} = $2 and action = $5
     ), changed as (
       update ${table} set register_error = $4,${isRefused(task)}
         register_status = case when $6 then register_status else 'register_error' end,
         refused_at = case when $6 then refused_at else now() end
       where id = $2 and organization_id = $1
       returning organization_id, id, register_status, register_error
     )
     ${toldIfDevice(task.kind, { status: 'register_status', message: 'register_error' })}`,
    [
      task.organization_id,
      task.target_id,
      task.id,
      words,
      names,
      task.action === 'rename',
      task.action,
    ],
  )
}

/**
 * Records a call that could not be made now: it waits until `nextAttemptAt`, and a pending device
 * or gateway shows the reason. An active one shows it only if the error is its own (`isItsOwn`).
 */
export async function postpone(
  db: Queryable,
  task: ProvisioningTask,
  { nextAttemptAt, reason, isItsOwn }: { nextAttemptAt: Date; reason: string; isItsOwn: boolean },
): Promise<void> {
  await db.query(
    `with put_off as (
       update provisioning set claimed_until = null, next_attempt_at = $2, last_error = $3
       where id = $1
     )
     update ${task.kind}s set register_error = $6
     where id = $4 and organization_id = $5 and (register_status = 'pending' or $7)`,
    [
      task.id,
      nextAttemptAt,
      reason,
      task.target_id,
      task.organization_id,
      shownOf(task, reason),
      isItsOwn,
    ],
  )
}

/** Other organizations do not see the operator's server or the errors of the operator's account. */
export function shownOf(task: ProvisioningTask, reason: string): string {
  const isOwn = task.register_method !== 'vendor' || task.organization_id === operatorOrganization
  return isOwn ? reason : "The network could not be told through the operator's account."
}
