import { DatabaseUnavailable } from '../errors.ts'
import { numberArray } from '../statements.ts'
import { type Asked, formFor } from './form-for.ts'

/*
 * Where the rows of organizations are. A statement about several organizations of one place runs there
 * as it is. One PostgreSQL is one place; on Citus each shard is one, and all tables of an organization
 * share theirs.
 */

/**
 * SQL: whether `column` is an organization of the `bigint[]` parameter. For Citus, which then asks only
 * their places, in statements that compare the column with that of another row as well. The second half
 * keeps it out of the look-up in an index: PostgreSQL multiplies the shares of two conditions on a column, so
 * that all rows of a large organization would look as few as one.
 */
export function isOfAny(column: string, parameter: string): string {
  return `(${column} = any(${parameter}::bigint[]) or ${column} = (${parameter}::bigint[])[1])`
}

/** Groups items by the places of their organizations. */
export async function groupByPlace<Item>(
  db: Asked,
  items: readonly Item[],
  organizationOf: (item: Item) => number,
): Promise<(readonly Item[])[]> {
  const find = await formFor(db, { whole: undefined, spread: findShards })
  const organizations = find ? [...new Set(items.map(organizationOf))] : []
  if (!find || organizations.length < 2) return [items]
  const found = await find(db, organizations).catch(noneWhileAway)
  const shards = new Map(found.map(({ organization_id, shard }) => [organization_id, shard]))
  // While Citus does not tell, each organization is a place.
  const placeOf = (organization: number) => shards.get(organization) ?? -organization
  return [...Map.groupBy(items, (item) => placeOf(organizationOf(item))).values()]
}

function noneWhileAway(error: unknown): OfShard[] {
  if (error instanceof DatabaseUnavailable) return []
  throw error
}

interface OfShard {
  organization_id: number
  shard: number
}

/** For Citus, which answers from what it keeps in memory. None before the database is distributed. */
export function findShards(db: Asked, organizations: readonly number[]): Promise<OfShard[]> {
  return db.query<OfShard>(
    `select organization_id,
       get_shard_id_for_distribution_column('organization_counters', organization_id) as shard
     from unnest($1::bigint[]) as given (organization_id)
     where exists (
       select from pg_dist_partition where logicalrelid = 'organization_counters'::regclass
     )`,
    [numberArray(organizations)],
  )
}
