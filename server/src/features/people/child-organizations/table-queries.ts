import type { Queryable } from '../../../db/connect.ts'
import { formFor } from '../../../db/distribution/form-for.ts'

/** A table with rows of organizations. */
export interface StoredTable {
  name: string
  /** Its primary key, but for the organization. */
  key: string[]
  /** Columns that refer to rows of the table itself. */
  above: string[]
}

/**
 * All tables with rows of organizations, each before those that it refers to: as the database has them, so
 * that none is forgotten.
 */
export async function listTables(db: Queryable): Promise<StoredTable[]> {
  const tables = await db.query<StoredTable & { refers: string[] }>(
    `with tables as (
       select pg_class.oid, relname as name from pg_class
       join pg_attribute on attrelid = pg_class.oid and attname = 'organization_id' and attnum > 0
       where relkind = 'r' and relnamespace = current_schema()::regnamespace
         and relname <> 'organization_deletions'
     )
     select name,
       coalesce((
         select array_agg(attname::text) from pg_index
         join pg_attribute on attrelid = indrelid and attnum = any(indkey::smallint[])
         where indrelid = tables.oid and indisprimary and attname <> 'organization_id'
       ), '{}') as key,
       coalesce((
         select array_agg(attname::text) from pg_constraint
         join pg_attribute on attrelid = conrelid and attnum = any(conkey)
         where conrelid = tables.oid and confrelid = tables.oid and contype = 'f'
           and attname <> 'organization_id'
       ), '{}') as above,
       coalesce((
         select array_agg(referred.name::text) from pg_constraint
         join tables as referred on referred.oid = confrelid
         where conrelid = tables.oid and confrelid <> tables.oid and contype = 'f'
       ), '{}') as refers
     from tables order by name`,
  )
  const sorted: StoredTable[] = []
  let rest = tables
  while (rest.length > 0) {
    const referred = new Set(rest.flatMap(({ refers }) => refers))
    const free = rest.filter(({ name }) => !referred.has(name))
    if (free.length === 0) throw new Error('Tables refer to each other in a circle.')
    sorted.push(...free)
    rest = rest.filter((table) => !free.includes(table))
  }
  return sorted
}

/** The tables in which the organization has rows; all of them where they are on several machines. */
export async function listFilled(
  tx: Queryable,
  tables: readonly StoredTable[],
  organizationId: number,
): Promise<readonly StoredTable[]> {
  const list = await formFor(tx, { whole: listFilledOf, spread: async () => tables })
  return list(tx, tables, organizationId)
}

async function listFilledOf(
  tx: Queryable,
  tables: readonly StoredTable[],
  organizationId: number,
): Promise<readonly StoredTable[]> {
  const looks = tables.map(
    ({ name }) =>
      `select '${name}' as name where exists (select from ${name} where organization_id = $1)`,
  )
  const rows = await tx.query<{ name: string }>(looks.join(' union all '), [organizationId])
  const filled = new Set(rows.map(({ name }) => name))
  return tables.filter(({ name }) => filled.has(name))
}

/** Deletes so many rows of an organization at most. Returns how many there were. */
export async function deleteRows(
  tx: Queryable,
  { name, key, above }: StoredTable,
  organizationId: number,
  most: number,
): Promise<number> {
  for (const column of above) {
    await tx.query(
      `update ${name} set ${column} = null where organization_id = $1 and ${column} is not null`,
      [organizationId],
    )
  }
  const columns = key.join(', ')
  const portion = `and (${columns}) in (
    select ${columns} from ${name} where organization_id = $1 limit $2
  )`
  const [row] = await tx.query<{ count: number }>(
    `with gone as (
       delete from ${name} where organization_id = $1 ${key.length > 0 ? portion : 'and $2 > 0'}
       returning 1
     ) select count(*) as count from gone`,
    [organizationId, most],
  )
  return row?.count ?? 0
}
