import type { Queryable } from '../../db/connect.ts'
import { sealedColumns } from './sealed-columns.ts'

export interface Proof {
  key_id: Buffer
  proof: Buffer
}

/** Starts that come at one time look at the proofs one after the other. */
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

/** The id of a key that sealed a secret and is none of `keyIds`; a look at all sealed values. */
export async function findOtherKey(
  db: Queryable,
  keyIds: readonly Buffer[],
): Promise<Buffer | undefined> {
  for (const { table, column } of sealedColumns) {
    const [row] = await db.query<{ key_id: Buffer }>(
      `select substr(${column}, 2, 4) as key_id from ${table}
       where ${column} is not null and substr(${column}, 2, 4) <> all($1::bytea[]) limit 1`,
      [keyIds],
    )
    if (row) return row.key_id
  }
  return undefined
}
