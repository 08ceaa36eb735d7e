import type { Queryable } from '../../db/connect.ts'
import { living } from '../../db/processes.ts'

/**
 * Frees what processes had claimed that are dead, so that it need not wait for the end of the claims.
 */
export async function freeDeadClaims(db: Queryable): Promise<void> {
  await db.query(
    `update provisioning set claimed_until = null
     where id in (
       select id from provisioning
       where claimed_until is not null and claimed_by::text not in ${living}
       order by id
       for update skip locked
     )`,
  )
  await db.query(
    `update downlink_queues set claim = null, claimed_until = null
     where device_id in (
       select device_id from downlink_queues
       where claimed_until is not null and claimed_by::text not in ${living}
       order by device_id
       for update skip locked
     )`,
  )
}
