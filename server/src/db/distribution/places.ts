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
  const organizations = [...new Set(items.map(organizationOf))]
  if (organizations.length < 2) return [items]
  const placeOf = await formFor(db, { whole: onePlace, spread: findPlaces })
  const place = await placeOf(db, organizations)
  return [...Map.groupBy(items, (item) => place(organizationOf(item))).values()]
}

async function onePlace() {
  return () => 0
}

/** While Citus does not tell, each organization is a place. */
async function findPlaces(db: Asked, organizations: readonly number[]) {
  const found = await findShards(db, organizations).catch(noneWhileAway)
  const shards = new Map(found.map(({ organization_id, shard }) => [organization_id, shard]))
  return (organization: number) => shards.get(organization) ?? -organization
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
