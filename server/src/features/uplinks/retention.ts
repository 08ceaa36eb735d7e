import type { Queryable } from '../../db/connect.ts'

/** How long the quarantine and the networks' reports are kept. Uplinks are kept for ever. */
const keptMilliseconds = 30 * 24 * 60 * 60 * 1000

/** Removes what is older, a bounded number of rows at a time. */
export async function removeOldMessages(db: Queryable, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - keptMilliseconds)
  await db.query(
    `delete from quarantined_messages where id in (
       select id from quarantined_messages where received_at < $1 order by received_at limit 10000
     )`,
    [oldest],
  )
  await db.query(
    `delete from network_events where id in (
       select id from network_events where received_at < $1 order by received_at limit 10000
     )`,
    [oldest],
  )
}
