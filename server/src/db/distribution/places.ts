import { numberArray } from '../statements.ts'
import { type Asked, formFor } from './form-for.ts'

/*
 * Where the rows of organizations are. A statement about several organizations of one place runs there
 * as it is. One PostgreSQL is one place; on Citus each shard is one, and all tables of an organization
 * share theirs.
 */

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
