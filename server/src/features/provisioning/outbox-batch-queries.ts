import type { Queryable } from '../../db/connect.ts'
import type { Kind, ProvisioningAction, ProvisioningTarget } from './outbox-queries.ts'

/** The outbox for many devices or gateways: one statement each, however many. */

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
