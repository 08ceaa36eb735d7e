import type { Database, Queryable } from '../../db/connect.ts'
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
