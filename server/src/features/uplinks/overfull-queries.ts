import type { Queryable } from '../../db/connect.ts'

/** The amount above the limit, and the organization with the most bytes in its tree. */
export interface Excess {
  organization_id: number
  /** 0 or less when only the bytes exceed the limit. */
  messages: number
  bytes: number
}

/**
 * Returns the trees with more in their quarantines than allowed, among the trees of these
 * organizations, or among all trees.
 */
export function findOverfull(
  db: Queryable,
  most: { messages: number; bytes: number },
  organizationIds: readonly number[] | undefined,
): Promise<Excess[]> {
  return db.query<Excess>(
    `select fullest.organization_id, totals.messages - $2 as messages, totals.bytes - $3 as bytes
     from (
       select distinct root_id from organizations where $1::bigint[] is null or id = any($1)
     ) as roots
     cross join lateral (
       select sum(quarantine_count)::bigint as messages, sum(quarantine_bytes)::bigint as bytes
       from organizations
       join organization_counters on organization_counters.organization_id = organizations.id
       where organizations.root_id = roots.root_id
     ) as totals
     cross join lateral (
       select organization_counters.organization_id
       from organizations
       join organization_counters on organization_counters.organization_id = organizations.id
       where organizations.root_id = roots.root_id
       order by quarantine_bytes desc, organization_counters.organization_id
       limit 1
     ) as fullest
     where totals.messages > $2 or totals.bytes > $3`,
    [organizationIds ?? null, most.messages, most.bytes],
  )
}
