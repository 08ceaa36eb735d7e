import { setTimeout as wait } from 'node:timers/promises'
import type { Queryable } from '../db/connect.ts'
import type { WriteHealth } from '../db/write-health.ts'

/** Milliseconds for the database to answer. Supervisors wait for a second or a few. */
const patience = 1000
const silent = 'The database does not answer.'

/**
 * Says why the service can not work now; undefined when it can. Questions at the same time share one
 * statement, so that none pile up before a database that does not answer.
 */
export function createFindFault(
  db: Queryable,
  writeHealth: WriteHealth,
): () => Promise<string | undefined> {
  let asking: Promise<string | undefined> | undefined
  const ask = () => {
    asking ??= db
      .query('select 1')
      .then(
        () => undefined,
        () => silent,
      )
      .finally(() => {
        asking = undefined
      })
    return asking
  }
  return async () =>
    writeHealth.fault() ?? Promise.race([ask(), wait(patience, silent, { ref: false })])
}
