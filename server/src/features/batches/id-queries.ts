import type { Queryable } from '../../db/connect.ts'

/** The ids of rows to come: what is secret in them is sealed under their ids. */
export async function allotIds(
  tx: Queryable,
  table: 'devices' | 'gateways',
  count: number,
): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select nextval(pg_get_serial_sequence($1, 'id')) as id from generate_series(1, $2)`,
    [table, count],
  )
  return rows.map(({ id }) => id)
}
