import type pg from 'pg'

export interface SpreadTable {
  name: string
  /** Tables of one group have their rows on the same machines. */
  group: number
}

/** The tables of the database that Citus keeps on several machines. */
export async function listSpreadTables(client: pg.Client): Promise<SpreadTable[]> {
  const { rows: extensions } = await client.query(
    `select from pg_extension where extname = 'citus'`,
  )
  if (extensions.length === 0) return []
  const { rows } = await client.query<SpreadTable>(
    `select pg_class.relname as name, pg_dist_partition.colocationid as group
     from pg_dist_partition join pg_class on pg_class.oid = pg_dist_partition.logicalrelid
     where pg_class.relnamespace = current_schema()::regnamespace
     order by pg_class.relname`,
  )
  return rows
}
