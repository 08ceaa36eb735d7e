import type { Queryable } from '../../../db/connect.ts'
import { isCheckViolation } from '../../../db/errors.ts'

/**
 * SQL over a row of `organizations`: the devices left of its own limit and of those above it, up to its
 * tenant's. Each counts the devices below it too. Negative when a limit was lowered below the number of
 * devices. Limits are checked again when the transaction commits: see `isLimitReached`.
 */
export const remainingDevices = `least(
  organizations.device_limit - organizations.device_count,
  (with recursive limits as (
     select organizations.id, organizations.parent_org_id, organizations.tenant_id,
       organizations.device_limit
     union all
     select above.id, above.parent_org_id, above.tenant_id, above.device_limit
     from limits
     join organizations as above on above.id = limits.parent_org_id
     where limits.id <> limits.tenant_id
   )
   select min(limits.device_limit - counts.device_count)
   from limits join organization_totals as counts on counts.organization_id = limits.id)
)`

/** Whether the commit failed because a limit, of the organization or above it, is reached by now. */
export function isLimitReached(error: unknown): boolean {
  return isCheckViolation(error, 'organization_totals_limit')
}

export async function readRemaining(
  db: Queryable,
  organizationId: number,
  lock: '' | 'for no key update' = '',
): Promise<number> {
  const rows = await db.query<{ remaining: number }>(
    `select ${remainingDevices} as remaining from organizations where id = $1 ${lock}`,
    [organizationId],
  )
  return rows[0]?.remaining ?? 0
}

/**
 * Reads what is left of the quota and locks it until the transaction ends. Everything that adds or
 * deletes devices locks the quota before the devices: with two orders, requests would deadlock.
 */
export function lockRemaining(tx: Queryable, organizationId: number): Promise<number> {
  return readRemaining(tx, organizationId, 'for no key update')
}

export interface Quota {
  /** Devices of the organization, without those of its children. */
  devices: number
  device_limit: number
  /** What is left of its own limit and of those above it, up to its tenant's. */
  remaining: number
}

/** Reads counters that are kept with every change: no device is counted. */
export async function readQuota(db: Queryable, organizationId: number): Promise<Quota> {
  const [quota] = await db.query<Quota>(
    `select organizations.device_count as devices, organizations.device_limit,
       greatest(0, ${remainingDevices}) as remaining
     from organizations where id = $1`,
    [organizationId],
  )
  return quota ?? { devices: 0, device_limit: 0, remaining: 0 }
}
