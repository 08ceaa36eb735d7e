import type { Queryable } from '../../../db/connect.ts'

/** Each statement that deletes names its organization, as the indexes do. */

/** Organizations with something that was over before a time: an index's end for each with rules. */
export async function listWithOld(db: Queryable, before: Date): Promise<number[]> {
  const rows = await db.query<{ organization_id: number }>(
    `select watches.organization_id from alert_watches as watches
     where exists (
         select from alerts where alerts.organization_id = watches.organization_id
           and alerts.closed_at < $1
       )
       or exists (
         select from alert_messages as mails where mails.organization_id = watches.organization_id
           and mails.created_at < $1
       )
       or exists (
         select from alert_digests as digests
         where digests.organization_id = watches.organization_id and digests.written_at < $1
       )
       or exists (
         select from alert_rules as rules
         where rules.organization_id = watches.organization_id and rules.deleted_at is not null
       )`,
    [before],
  )
  return rows.map(({ organization_id }) => organization_id)
}

/** Deletes the oldest alerts that are closed. Returns how many. */
export async function deleteAlerts(
  db: Queryable,
  organizationId: number,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const deleted = await db.query(
    // Chosen once, whatever the planner knows of the table.
    `with chosen as materialized (
       select id from alerts
       where organization_id = $1 and closed_at < $2
       order by closed_at
       limit $3
     )
     delete from alerts using chosen
     where alerts.organization_id = $1 and alerts.id = chosen.id
     returning alerts.id`,
    [organizationId, before, limit],
  )
  return deleted.length
}

/** Deletes old mails, and the digests that no alert belongs to any more. */
export async function deleteMails(
  db: Queryable,
  organizationId: number,
  before: Date,
): Promise<void> {
  await db.query('delete from alert_messages where organization_id = $1 and created_at < $2', [
    organizationId,
    before,
  ])
  await db.query(
    `delete from alert_digests
     where organization_id = $1 and written_at < $2 and not exists (
       select from alerts
       where alerts.organization_id = $1 and alerts.digest_id = alert_digests.id
     ) and not exists (
       select from alerts
       where alerts.organization_id = $1 and alerts.back_digest_id = alert_digests.id
     )`,
    [organizationId, before],
  )
}

/** Deletes the rules that were deleted and have no alert and no digest any more. */
export async function deleteRules(db: Queryable, organizationId: number): Promise<void> {
  await db.query(
    `delete from alert_rules
     where organization_id = $1 and deleted_at is not null and not exists (
       select from alerts
       where alerts.organization_id = $1 and alerts.rule_id = alert_rules.id
     ) and not exists (
       select from alert_digests
       where alert_digests.organization_id = $1 and alert_digests.rule_id = alert_rules.id
     )`,
    [organizationId],
  )
}
