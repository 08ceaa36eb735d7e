import type { Queryable } from '../../db/connect.ts'
import type { ChangedDevice } from './device-queries.ts'

export type ProvisioningAction = 'add' | 'rename' | 'remove'

/** A call that a network must still be made, with what it takes to make it. */
export interface ProvisioningTask {
  id: number
  organization_id: number
  network: string
  register_method: string
  account_id: number
  device_id: number
  eui: string
  join_eui: string
  name: string
  app_region: string | null
  sealed_key: Buffer
  action: ProvisioningAction
  /** Counting this one. */
  attempts: number
}

export async function enqueue(
  tx: Queryable,
  organizationId: number,
  device: Pick<ChangedDevice, 'id' | 'eui' | 'network' | 'register_method'>,
  action: ProvisioningAction,
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into provisioning
       (organization_id, network, register_method, device_id, eui, action, next_attempt_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7)`,
    [organizationId, device.network, device.register_method, device.id, device.eui, action, now],
  )
}

/**
 * Takes back the calls for a device that are not being made. False when the network cannot have
 * heard of the device: its first call was never tried.
 */
export async function withdraw(
  tx: Queryable,
  organizationId: number,
  device: Pick<ChangedDevice, 'id' | 'register_status'>,
  now: Date,
): Promise<boolean> {
  const withdrawn = await tx.query<{ action: ProvisioningAction; attempts: number }>(
    `delete from provisioning
     where organization_id = $1 and device_id = $2
       and (claimed_until is null or claimed_until < $3)
     returning action, attempts`,
    [organizationId, device.id, now],
  )
  // A device that was refused may be at the network all the same: its new name was refused.
  if (device.register_status !== 'pending') return true
  return !withdrawn.some(({ action, attempts }) => action === 'add' && attempts === 0)
}

/**
 * Claims the next call that is due, of one device or of any: the oldest of its EUI through that
 * account, and not in the hands of a process that still lives.
 */
export async function claim(
  db: Queryable,
  claim: { now: Date; claimedUntil: Date; deviceId?: number },
): Promise<ProvisioningTask | undefined> {
  const tasks = await db.query<ProvisioningTask>(
    // A CTE is run once. As a subquery it could be run per joined row, and claim more than one.
    `with due as materialized (
       select head.id, accounts.id as account_id
       from provisioning as head
       join network_accounts as accounts on accounts.network = head.network
         and accounts.register_method = head.register_method
         and (accounts.register_method = 'vendor' or accounts.organization_id = head.organization_id)
       where ($3::bigint is null or head.device_id = $3)
         and (head.next_attempt_at <= $1 or head.device_id = $3)
         and (head.claimed_until is null or head.claimed_until < $1)
         and not exists (
           select from provisioning as earlier
           where earlier.network = head.network and earlier.eui = head.eui and earlier.id < head.id
             and earlier.register_method = head.register_method
             and (head.register_method = 'vendor' or earlier.organization_id = head.organization_id)
         )
       order by head.next_attempt_at, head.id
       limit 1
       for update of head skip locked
     )
     update provisioning
     set claimed_until = $2, attempts = provisioning.attempts + 1
     from due, devices
     where provisioning.id = due.id and devices.id = provisioning.device_id
     returning provisioning.id, provisioning.organization_id, provisioning.network,
       provisioning.register_method, due.account_id, provisioning.device_id, provisioning.eui,
       devices.join_eui, devices.name, devices.app_region, devices.sealed_key,
       provisioning.action, provisioning.attempts`,
    [claim.now, claim.claimedUntil, claim.deviceId ?? null],
  )
  return tasks[0]
}

/** The network has done it: the call is over, and a device that was added is active. */
export async function succeed(db: Queryable, task: ProvisioningTask): Promise<void> {
  await db.query(
    `with done as (delete from provisioning where id = $1)
     update devices set register_status = 'active', register_error = null
     where id = $2 and organization_id = $3 and $4 <> 'remove'`,
    [task.id, task.device_id, task.organization_id, task.action],
  )
}

/**
 * The network has refused it: the call is over, and its words stand with the device. There is
 * nothing to rename where it was not added, and saying so would hide the reason.
 */
export async function refuse(db: Queryable, task: ProvisioningTask, words: string): Promise<void> {
  const names = task.action === 'add' ? 'rename' : null
  await db.query(
    `with done as (
       delete from provisioning where id = $1 or (device_id = $2 and action = $5)
     )
     update devices set register_status = 'register_error', register_error = $4
     where id = $2 and organization_id = $3`,
    [task.id, task.device_id, task.organization_id, words, names],
  )
}

/** It could not be said: the call waits until `nextAttemptAt`. */
export async function postpone(
  db: Queryable,
  task: ProvisioningTask,
  nextAttemptAt: Date,
  reason: string,
): Promise<void> {
  await db.query(
    `update provisioning set claimed_until = null, next_attempt_at = $2, last_error = $3
     where id = $1`,
    [task.id, nextAttemptAt, reason],
  )
}

/** An account was connected or mended: what waits for it is due now. */
export async function hurry(
  db: Queryable,
  account: { organizationId: number; network: string; registerMethod: string },
  now: Date,
): Promise<void> {
  await db.query(
    `update provisioning set next_attempt_at = $4
     where network = $1 and register_method = $2 and next_attempt_at > $4
       and (register_method = 'vendor' or organization_id = $3)`,
    [account.network, account.registerMethod, account.organizationId, now],
  )
}
