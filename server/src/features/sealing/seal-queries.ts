import type { Queryable } from '../../db/connect.ts'
import type { SealedColumn, SealedRow } from './sealed-columns.ts'

export interface StoredSecret extends SealedRow {
  /** Where the row stands in its table (`ctid`), for as long as it is locked. */
  place: string
  sealed: Buffer
}

/** How many pages of 8 kB a table has. */
export async function countPages(db: Queryable, { table }: SealedColumn): Promise<number> {
  const [row] = await db.query<{ pages: number }>(
    `select pg_relation_size($1::regclass) / current_setting('block_size')::bigint as pages`,
    [table],
  )
  return row?.pages ?? 0
}

/**
 * Locks the rows of some pages whose secret another key sealed. Rows that the service has locked
 * are left out: whoever waits for nobody is part of no deadlock.
 */
export async function lockSecrets(
  tx: Queryable,
  { table, column, keys }: SealedColumn,
  { keyId, from, to }: { keyId: Buffer; from: number; to: number },
): Promise<StoredSecret[]> {
  const rows = await tx.query<Record<string, number | Buffer> & { place: string; sealed: Buffer }>(
    `select ctid::text as place, ${column} as sealed, ${keys.join(', ')} from ${table}
     where ctid >= $1::text::tid and ctid < $2::text::tid
       and ${column} is not null and substr(${column}, 2, 4) <> $3
     for update skip locked`,
    [`(${from},0)`, `(${to},0)`, keyId],
  )
  return rows.map((row) => ({
    place: row.place,
    sealed: row.sealed,
    keys: keys.flatMap((key) => row[key] ?? []),
  }))
}

export async function replaceSecrets(
  tx: Queryable,
  { table, column }: SealedColumn,
  secrets: readonly Pick<StoredSecret, 'place' | 'sealed'>[],
): Promise<void> {
  await tx.query(
    `update ${table} set ${column} = given.sealed
     from unnest($1::text[], $2::bytea[]) as given (place, sealed)
     where ${table}.ctid = given.place::tid`,
    [secrets.map(({ place }) => place), secrets.map(({ sealed }) => sealed)],
  )
}

/** How many secrets other keys than this one sealed. */
export async function countSecretsOfOthers(
  db: Queryable,
  { table, column }: SealedColumn,
  keyId: Buffer,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) from ${table} where ${column} is not null and substr(${column}, 2, 4) <> $1`,
    [keyId],
  )
  return row?.count ?? 0
}
