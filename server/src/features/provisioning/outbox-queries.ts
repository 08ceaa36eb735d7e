import type { Queryable } from '../../db/connect.ts'
import { operatorOrganization } from '../connections/account-scope.ts'
import type { ClaimedAccount } from '../connections/connections.ts'

type ProvisioningAction = 'add' | 'rename' | 'remove'

/** What is registered at a network: a device, or a gateway. */
export type Kind = 'device' | 'gateway'

/** What the outbox needs to know of a device or gateway. */
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
  /** Of the device or gateway. */
  target_id: number
  eui: string
  name: string
  action: ProvisioningAction
  /** Counting this one. */
  attempts: number
}

/** A call that a network must still be made, with what it takes to make it. */
export type ProvisioningTask = DeviceTask | GatewayTask

export interface DeviceTask extends TaskOf<'device'> {
  join_eui: string
  app_region: string | null
  frequency_plan: string | null
  /** Null where the device was adopted from its network without it. */
  sealed_key: Buffer | null
}

export interface GatewayTask extends TaskOf<'gateway'> {
  region: string | null
  description: string | null
  settings: Record<string, string>
}

/** A call that a network must be made. */
export type Call = ProvisioningTarget & { action: ProvisioningAction }

/** Puts calls into the outbox, in this order. */
export async function enqueueAll(
  tx: Queryable,
  organizationId: number,
  calls: readonly Call[],
  now: Date,
): Promise<void> {
  if (calls.length === 0) return
  await tx.query(
    `insert into provisioning (
       organization_id, network, register_method, device_id, gateway_id, eui, action,
       next_attempt_at, created_at
     )
     select $1, network, register_method, case kind when 'device' then id end,
       case kind when 'gateway' then id end, eui, action, $3, $3
     from rows from (
       json_to_recordset($2) as (
         kind text, network text, register_method text, id bigint, eui text, action text
       )
     ) with ordinality
     order by ordinality`,
    [organizationId, JSON.stringify(calls), now],
  )
}

/**
 * Takes back the calls for devices or gateways that are not being made, and gives the ids of those
 * that no network can have heard of: pending ones whose first call was never tried. (One that was
 * refused may be at the network all the same: its new name was refused.)
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
       returning ${kind}_id as id, action, attempts
     )
     select distinct targets.id from withdrawn
     join ${kind}s as targets on targets.id = withdrawn.id
     where withdrawn.action = 'add' and withdrawn.attempts = 0
       and targets.register_status = 'pending'`,
    [organizationId, ids, now],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Those of the EUIs about which the account's network is still to be told something. */
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

/** The network has done it: the call is over, and what was added is active. */
export async function succeed(db: Queryable, task: ProvisioningTask): Promise<void> {
  const table = task.kind === 'device' ? 'devices' : 'gateways'
  await db.query(
    `with done as (delete from provisioning where id = $1)
     update ${table} set register_status = 'active', register_error = null
     where id = $2 and organization_id = $3 and $4 <> 'remove'`,
    [task.id, task.target_id, task.organization_id, task.action],
  )
}

/**
 * The network has refused it: the call is over, and its words stand with the device or gateway.
 * There is nothing to rename where it was not added, and saying so would hide the reason. What works
 * under its old name goes on doing so.
 */
export async function refuse(db: Queryable, task: ProvisioningTask, words: string): Promise<void> {
  const [table, target] =
    task.kind === 'device'
      ? (['devices', 'device_id'] as const)
      : (['gateways', 'gateway_id'] as const)
  const names = task.action === 'add' ? 'rename' : null
  await db.query(
    `with done as (
       delete from provisioning where id = $1 or (${target} = $2 and action = $5)
     )
     update ${table} set register_error = $4,
       register_status = case when $6 and register_status = 'active' then 'active'
         else 'register_error' end
     where id = $2 and organization_id = $3`,
    [task.id, task.target_id, task.organization_id, words, names, task.action === 'rename'],
  )
}

/** Says with devices or gateways that are still to be registered why they wait. */
export async function noteWaiting(
  tx: Queryable,
  kind: Kind,
  waiting: readonly { id: number; reason: string }[],
): Promise<void> {
  if (waiting.length === 0) return
  await tx.query(
    `update ${kind}s as targets set register_error = given.reason
     from json_to_recordset($1) as given(id bigint, reason text)
     where targets.id = given.id and targets.register_status = 'pending'`,
    [JSON.stringify(waiting)],
  )
}

/**
 * It could not be said: the call waits until `nextAttemptAt`, and what is pending says why. So does
 * what works already, where it is the only one that is hindered.
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

/** Where the operator's account is, and what is wrong with it, others are not told. */
function shownOf(task: ProvisioningTask, reason: string): string {
  const isOwn = task.register_method !== 'vendor' || task.organization_id === operatorOrganization
  return isOwn ? reason : "The network could not be told through the operator's account."
}
