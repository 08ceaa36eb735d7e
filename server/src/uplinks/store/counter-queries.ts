import type { Database, Queryable } from '../../db/connect.ts'
import { isDistributed } from '../../db/distribution/is-distributed.ts'

/**
 * Runs a statement that counts in one of its parts. Citus locks the shards of such a statement, and the
 * rows only then: it would wait for a writer that has the counter and waits for the shard. So on Citus
 * the counters are locked before.
 */
export async function afterCounters<T>(
  db: Queryable | Database,
  organizationIds: readonly number[],
  work: (db: Queryable) => Promise<T>,
): Promise<T> {
  if (!(await isDistributed(db))) return work(db)
  const workAfter = async (tx: Queryable) => {
    for (const id of organizationIds.toSorted((one, other) => one - other)) {
      await tx.query(
        'select organization_id from organization_counters where organization_id = $1 for update',
        [id],
      )
    }
    return work(tx)
  }
  return 'transaction' in db ? db.transaction(workAfter) : workAfter(db)
}
