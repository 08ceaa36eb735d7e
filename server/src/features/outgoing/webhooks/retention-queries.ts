import type { Queryable } from '../../../db/connect.ts'

/** The newest that are kept of a webhook. */
const mostKept = 100_000

/** Deletes what is too old or too much, at most `limit` rows of each webhook. Returns how many. */
function deletion(table: 'webhook_attempts' | 'webhook_deliveries', time: string): string {
  return `with gone as (
      delete from ${table} using (
        select old.organization_id, old.webhook_id, old.id
        from webhooks
        cross join lateral (
          select kept.organization_id, kept.webhook_id, kept.id from ${table} as kept
          where kept.organization_id = webhooks.organization_id and kept.webhook_id = webhooks.id
            and (kept.${time} < $1 or kept.id <= (
              select newest.id from ${table} as newest
              where newest.organization_id = webhooks.organization_id
                and newest.webhook_id = webhooks.id
              order by newest.id desc
              offset ${mostKept} limit 1
            ))
          order by kept.id
          limit $2
        ) as old
      ) as old
      where ${table}.organization_id = old.organization_id
        and ${table}.webhook_id = old.webhook_id and ${table}.id = old.id
      returning ${table}.id
    )
    select count(*) from gone`
}

const deletions = [
  deletion('webhook_attempts', 'attempted_at'),
  deletion('webhook_deliveries', 'happened_at'),
]

export async function deleteOld(db: Queryable, before: Date, limit: number): Promise<number> {
  let count = 0
  for (const text of deletions) {
    const rows = await db.query<{ count: number }>(text, [before, limit])
    count += rows[0]?.count ?? 0
  }
  return count
}
