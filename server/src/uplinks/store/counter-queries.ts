import type { Database, Queryable } from '../../db/connect.ts'
import { isDistributed } from '../../db/distribution/is-distributed.ts'
import type { Transaction } from '../../db/transaction.ts'

/**
 * From here on the transaction waits at most 300 ms for each lock (SQLSTATE 55P03). For those of
 * several tenants: while another process holds the counter of one, the others wait no longer,
 * and each tenant is stored by itself then. A counter is usually held for some 10 ms.
 */
export function waitBriefly(tx: Transaction): void {
  tx.send("select set_config('lock_timeout', '300ms', true)")
}

/** Runs `work`, and in a transaction that waits briefly for locks where it is of several tenants. */
export function runBriefly<T>(
  db: Database,
  isMixed: boolean,
  work: (db: Queryable) => Promise<T>,
): Promise<T> {
  if (!isMixed) return work(db)
  return db.transaction((tx) => {
    waitBriefly(tx)
    return work(tx)
  })
}

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
