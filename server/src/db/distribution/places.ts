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
  const find = await formFor(db, { whole: async () => [], spread: findShards })
  const found = await find(db, organizations)
  const places = new Map(found.map(({ organization_id, shard }) => [organization_id, shard]))
  return [...Map.groupBy(items, (item) => places.get(organizationOf(item))).values()]
}

interface OfShard {
  organization_id: number
  shard: number
}

/** For Citus, which answers from what it keeps in memory. */
export function findShards(db: Asked, organizations: readonly number[]): Promise<OfShard[]> {
  return db.query<OfShard>(
    `select organization_id,
       get_shard_id_for_distribution_column('organization_counters', organization_id) as shard
     from unnest($1::bigint[]) as given (organization_id)`,
    [numberArray(organizations)],
  )
}
