import type { Database, Queryable } from '../../db/connect.ts'
import { lockQueues } from './queue-queries.ts'

/** Sensors answer at once, but a network may send a message days after it took it. */
const longestWaitDays = 7

/** Downlinks closed in one transaction. */
const batchSize = 500

const reason = `It was sent, but the sensor has not acknowledged it within ${longestWaitDays} days.`

interface Unanswered {
  organization_id: number
  device_id: number
}

/**
 * Closes the downlinks that were sent some days ago and that no sensor has acknowledged. Those of a
 * codec, which no sensor acknowledges, stay sent: that is their end.
 */
export async function closeUnanswered(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - longestWaitDays * 24 * 60 * 60 * 1000)
  for (;;) {
    const found = await findUnanswered(db, before)
    const byOrganization = Map.groupBy(found, ({ organization_id }) => organization_id)
    let closed = 0
    for (const [organizationId, downlinks] of byOrganization) {
      const deviceIds = [...new Set(downlinks.map(({ device_id }) => device_id))]
      closed += await db.transaction(async (tx) => {
        const locked = await lockQueues(tx, organizationId, deviceIds)
        return close(tx, organizationId, { deviceIds: locked, before })
      })
    }
    if (found.length < batchSize || closed === 0) return
  }
}

function findUnanswered(db: Queryable, before: Date): Promise<Unanswered[]> {
  return db.query<Unanswered>(
    `select organization_id, device_id from downlinks
     where state = 'sent' and closed_at is null and sent_at < $1
     order by sent_at
     limit $2`,
    [before, batchSize],
  )
}

/** With their history, in the order in which they were made; returns how many. */
async function close(
  tx: Queryable,
  organizationId: number,
  { deviceIds, before }: { deviceIds: readonly number[]; before: Date },
): Promise<number> {
  const [result] = await tx.query<{ count: number }>(
    `with closed as (
       update downlinks
       set closed_at = now(), state = case when field_values ? 'codec_data' then 'sent' else 'failed' end
       where organization_id = $1 and device_id = any($2::bigint[])
         and state = 'sent' and closed_at is null and sent_at < $3
       returning organization_id, device_id, id, state
     ), noted as (
       insert into downlink_history (organization_id, device_id, downlink_id, event_name, reason)
       select organization_id, device_id, id, 'event_failed', $4 from closed
       where state = 'failed'
       order by id
     )
     select count(*) from closed`,
    [organizationId, deviceIds, before, reason],
  )
  return result?.count ?? 0
}
