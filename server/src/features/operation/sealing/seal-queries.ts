import type { Queryable } from '../../../db/connect.ts'
import { type SealedColumn, type SealedKey, sealedColumns } from '../../../db/secret-keys.ts'

export interface StoredSecret {
  /** The values of the column's keys. */
  keys: SealedKey[]
  /** The row's place in its table (`ctid`), valid while the row is locked; its own key on Citus. */
  place: string
  sealed: Buffer
}

/** A secret that is sealed again. */
export type NewSecret = Pick<StoredSecret, 'place' | 'sealed'>

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
  const rows = await tx.query<SecretRow>(
    `select ctid::text as place, ${column} as sealed, ${keys.join(', ')} from ${table}
     where ctid >= $1::text::tid and ctid < $2::text::tid
       and ${column} is not null and substr(${column}, 2, 4) <> $3
     for update skip locked`,
    [`(${from},0)`, `(${to},0)`, keyId],
  )
  return rows.map((row) => toSecret(row, keys))
}

type SecretRow = Record<string, number | Buffer> & { place: string; sealed: Buffer }

function toSecret(row: SecretRow, keys: readonly string[]): StoredSecret {
  const { place, sealed } = row
  return { place, sealed, keys: keys.flatMap((key) => row[key] ?? []) }
}

export async function replaceSecrets(
  tx: Queryable,
  { table, column }: SealedColumn,
  secrets: readonly NewSecret[],
): Promise<void> {
  await tx.query(
    `update ${table} set ${column} = given.sealed
     from unnest($1::text[], $2::bytea[]) as given (place, sealed)
     where ${table}.ctid = given.place::tid`,
    [secrets.map(({ place }) => place), secrets.map(({ sealed }) => sealed)],
  )
}

/** The organizations, for what is done to each of them where their rows are on several machines. */
export async function listOrganizationIds(db: Queryable): Promise<number[]> {
  const rows = await db.query<{ id: number }>('select id from organizations order by id')
  return rows.map(({ id }) => id)
}

/**
 * As `lockSecrets`, but the next rows of one organization, without the secrets that are `unopened`:
 * rows of a table that Citus distributes have no place.
 */
export async function lockSecretsOf(
  tx: Queryable,
  organizationId: number,
  sealedColumn: SealedColumn,
  { keyId, unopened, most }: { keyId: Buffer; unopened: readonly Buffer[]; most: number },
): Promise<StoredSecret[]> {
  const { table, column, keys } = sealedColumn
  const rows = await tx.query<SecretRow>(
    `select ${ownKeyOf(sealedColumn).name}::text as place, ${column} as sealed, ${keys.join(', ')}
     from ${table}
     where organization_id = $1 and ${column} is not null and substr(${column}, 2, 4) <> $2
       and ${column} <> all($3::bytea[])
     limit $4
     for update skip locked`,
    [organizationId, keyId, unopened, most],
  )
  return rows.map((row) => toSecret(row, keys))
}

export async function replaceSecretsOf(
  tx: Queryable,
  organizationId: number,
  sealedColumn: SealedColumn,
  secrets: readonly NewSecret[],
): Promise<void> {
  const { table, column } = sealedColumn
  const { name, type } = ownKeyOf(sealedColumn)
  await tx.query(
    `update ${table} set ${column} = given.sealed
     from unnest($2::text[], $3::bytea[]) as given (place, sealed)
     where ${table}.organization_id = $1 and ${table}.${name} = given.place::${type}`,
    [organizationId, secrets.map(({ place }) => place), secrets.map(({ sealed }) => sealed)],
  )
}

/** The key of a row within its organization. */
function ownKeyOf({ keys }: SealedColumn): { name: string; type: 'bigint' | 'bytea' } {
  const name = keys.find((key) => key !== 'organization_id') ?? 'id'
  return { name, type: name === 'scope' ? 'bytea' : 'bigint' }
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
