import type { Queryable } from '../../db/connect.ts'

/** The amount above the limit, and the organization with the most bytes in its tenant. */
export interface Excess {
  organization_id: number
  /** 0 or less when only the bytes exceed the limit. */
  messages: number
  bytes: number
}

/**
 * Returns the tenants with more in their quarantines than allowed, among the tenants of these
 * organizations, or among all.
 */
export function findOverfull(
  db: Queryable,
  most: { messages: number; bytes: number },
  organizationIds: readonly number[] | undefined,
): Promise<Excess[]> {
  return db.query<Excess>(
    // Apart, since the counters may be on other machines (docs/scaling.md).
    `with owned as materialized (
       select id, tenant_id from organizations
       where tenant_id in (
         select asked.tenant_id from organizations as asked
         where $1::bigint[] is null or asked.id = any($1)
       )
     ), filled as materialized (
       select organization_id, quarantine_count, quarantine_bytes from organization_counters
       where organization_id in (select id from owned)
     )
     select (array_agg(filled.organization_id
         order by filled.quarantine_bytes desc, filled.organization_id))[1] as organization_id,
       sum(filled.quarantine_count)::bigint - $2 as messages,
       sum(filled.quarantine_bytes)::bigint - $3 as bytes
     from owned
     join filled on filled.organization_id = owned.id
     group by owned.tenant_id
     having sum(filled.quarantine_count) > $2 or sum(filled.quarantine_bytes) > $3`,
    [organizationIds ?? null, most.messages, most.bytes],
  )
}
