import type { Queryable } from './connect.ts'

/**
 * What processes of earlier releases use, and those with at least this migration do not. A migration
 * drops it where no process runs yet; beside running ones it goes when the last of these has ended.
 */
const formerIndexes = [{ name: 'uplinks_deduplication', unusedFrom: 21 }]

/** Drops the indexes that only processes of earlier releases used. */
export async function dropFormerIndexes(db: Queryable): Promise<void> {
  for (const { name, unusedFrom } of formerIndexes) {
    const [found] = await db.query(
      `select from pg_class
       where oid = to_regclass($1) and not exists (
         select from processes
         where alive_until > clock_timestamp() and coalesce(migration, 0) < $2
       )`,
      [name, unusedFrom],
    )
    // An index that was left invalid by a process that died is dropped by the next run.
    if (found) await db.query(`drop index concurrently if exists ${name}`)
  }
}
