import type { Queryable } from '../../../db/connect.ts'

/** Allots the ids of new rows in advance: their secrets are sealed under the ids. */
export async function allotIds(
  tx: Queryable,
  table: 'devices' | 'gateways',
  count: number,
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    // Looks the sequence up once: for each of 1,000 ids it took 10 ms, the ids themselves 1 ms.
    `with named as materialized (select pg_get_serial_sequence($1, 'id')::regclass as sequence)
     select nextval(named.sequence) as id from named, generate_series(1, $2)`,
    [table, count],
  )
  return rows.map(({ id }) => id)
}
