import type { Queryable } from '../../db/connect.ts'
import { type SealedColumn, type SealedKey, sealedColumns } from '../../db/sealed-columns.ts'

interface StoredSecret {
  /** The values of the column's keys. */
  keys: SealedKey[]
  /** The row's place in its table (`ctid`), valid while the row is locked. */
  place: string
  sealed: Buffer
}

/** The size of a table in pages of 8 kB. */
export async function countPages(db: Queryable, { table }: SealedColumn): Promise<number> {
  const [row] = await db.query<{ pages: number }>(
    `select pg_relation_size($1::regclass) / current_setting('block_size')::bigint as pages`,
    [table],
  )
  return row?.pages ?? 0
}

/**
 * Locks the rows of a range of pages whose secret another key sealed. Skips rows that the service
 * has locked, so it can be part of no deadlock.
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

/** Counts the secrets that other keys sealed. */
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

export interface Proof {
  key_id: Buffer
  proof: Buffer
}

/** Makes processes that start at the same time check the proofs one after the other. */
export async function lockProofs(tx: Queryable): Promise<void> {
  await tx.query('lock table seal_proofs in share row exclusive mode')
}

export async function readProofs(db: Queryable): Promise<Proof[]> {
  return db.query<Proof>('select key_id, proof from seal_proofs order by created_at, key_id')
}

export async function insertProof(tx: Queryable, { key_id, proof }: Proof): Promise<void> {
  await tx.query('insert into seal_proofs (key_id, proof) values ($1, $2)', [key_id, proof])
}

export async function removeOtherProofs(db: Queryable, keyId: Buffer): Promise<void> {
  await db.query('delete from seal_proofs where key_id <> $1', [keyId])
}

/** The id of a key that sealed a secret and is not among `keyIds`. Reads all sealed values. */
export async function findOtherKey(
  db: Queryable,
  keyIds: readonly Buffer[],
): Promise<Buffer | undefined> {
  for (const { table, column } of Object.values(sealedColumns)) {
    const [row] = await db.query<{ key_id: Buffer }>(
      `select substr(${column}, 2, 4) as key_id from ${table}
       where ${column} is not null and substr(${column}, 2, 4) <> all($1::bytea[]) limit 1`,
      [keyIds],
    )
    if (row) return row.key_id
  }
  return undefined
}
