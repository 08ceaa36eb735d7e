import type { Queryable } from '../../../db/connect.ts'
import { groupsBelow } from '../../fleet/inventory/groups-below.ts'
import { havingTag } from '../../fleet/inventory/tags.ts'
import type { ClaimedWebhook } from './claim-queries.ts'
import type { StoredWebhook } from './webhook-queries.ts'

/** A row of `webhook_announcements`. */
export interface KnownAnnouncement {
  topic: string
  device_id: number
  type_id: number
  /** Platform and name of each. */
  components: string[]
  /** Null where it is to be sent again. */
  digest: string | null
}

/** Seconds between two comparisons of what is announced with the devices. */
const comparisonSeconds = 300

/** Worked out here: Citus takes no sum of a time and an interval within `case` or `coalesce`. */
function nextComparison(now: Date): Date {
  return new Date(now.getTime() + comparisonSeconds * 1000)
}

type OfWebhook = Pick<StoredWebhook, 'organization_id' | 'id'>

export function listAnnounced(
  db: Queryable,
  { organization_id, id }: OfWebhook,
  topics: readonly string[],
): Promise<KnownAnnouncement[]> {
  return db.query<KnownAnnouncement>(
    `select topic, device_id, type_id, components, digest
     from webhook_announcements
     where organization_id = $1 and webhook_id = $2 and topic = any($3)`,
    [organization_id, id, topics],
  )
}

/** Remembers what the broker has taken, and plans the first comparison. */
export async function rememberAnnounced(
  tx: Queryable,
  { organization_id, id }: OfWebhook,
  announced: readonly KnownAnnouncement[],
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into webhook_announcements
       (organization_id, webhook_id, topic, device_id, type_id, components, digest)
     select $1, $2, given.topic, given.device_id, given.type_id,
       array(select jsonb_array_elements_text(given.components)), given.digest
     from jsonb_to_recordset($3::jsonb)
       as given (topic text, device_id bigint, type_id integer, components jsonb, digest text)
     on conflict (organization_id, webhook_id, topic) do update
     set device_id = excluded.device_id, type_id = excluded.type_id,
       components = excluded.components, digest = excluded.digest`,
    [organization_id, id, JSON.stringify(announced.map(rowOf))],
  )
  await tx.query(
    `update webhooks
     set announcements_due_at = coalesce(announcements_due_at, $3)
     where organization_id = $1 and id = $2`,
    [organization_id, id, nextComparison(now)],
  )
}

function rowOf({ topic, device_id, type_id, components, digest }: KnownAnnouncement) {
  return { topic, device_id, type_id, components, digest }
}

/**
 * What is announced of devices that are gone, or that the filters no longer let pass. With 20,000
 * announced devices it takes 70 ms, and 0.2 s with a group, every five minutes.
 */
export async function listStale(
  db: Queryable,
  { organization_id, id, group_id, type_id, network, tag }: ClaimedWebhook,
  /** Where announcements are now; undefined where nothing is announced any more. */
  beginning: string | undefined,
  most: number,
): Promise<string[]> {
  const rows = await db.query<{ topic: string }>(
    `with recursive ${groupsBelow('$1', '$5')}
     select announced.topic
     from webhook_announcements as announced
     left join devices on devices.organization_id = announced.organization_id
       and devices.id = announced.device_id and devices.deleted_at is null
     where announced.organization_id = $1 and announced.webhook_id = $2
       and ($3::text is null or not starts_with(announced.topic, $3) or devices.id is null
         or devices.type_id <> $6 or devices.network <> $7
         or ($8::text is not null and (${havingTag('devices.tags', '$8::text')}) is not true)
         or ($5::bigint is not null and not exists (
           select from grouped_devices
           where grouped_devices.organization_id = $1
             and grouped_devices.device_id = announced.device_id
             and grouped_devices.group_id in (select below.id from below))))
     order by announced.topic
     limit $4`,
    [organization_id, id, beginning ?? null, most, group_id, type_id, network, tag],
  )
  return rows.map(({ topic }) => topic)
}

/** Those of the topics at which another webhook announces at the same broker. */
export async function listShared(
  db: Queryable,
  { organization_id, id, url }: Pick<StoredWebhook, 'organization_id' | 'id' | 'url'>,
  topics: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ topic: string }>(
    `select distinct announced.topic
     from webhook_announcements as announced
     join webhooks on webhooks.organization_id = announced.organization_id
       and webhooks.id = announced.webhook_id
     where announced.organization_id = $1 and announced.webhook_id <> $2
       and announced.topic = any($4) and webhooks.url = $3`,
    [organization_id, id, url, topics],
  )
  return rows.map(({ topic }) => topic)
}

export async function listTopics(
  db: Queryable,
  { organization_id, id }: OfWebhook,
  most: number,
): Promise<string[]> {
  const rows = await db.query<{ topic: string }>(
    `select topic from webhook_announcements
     where organization_id = $1 and webhook_id = $2
     order by topic
     limit $3`,
    [organization_id, id, most],
  )
  return rows.map(({ topic }) => topic)
}

export async function forget(
  db: Queryable,
  { organization_id, id }: OfWebhook,
  topics: readonly string[],
): Promise<void> {
  await db.query(
    `delete from webhook_announcements
     where organization_id = $1 and webhook_id = $2 and topic = any($3)`,
    [organization_id, id, topics],
  )
}

/** The next comparison: at once where there is more to do, never where nothing is announced. */
export async function setNextComparison(
  db: Queryable,
  { organization_id, id }: OfWebhook,
  { now, hasMore }: { now: Date; hasMore: boolean },
): Promise<void> {
  await db.query(
    `update webhooks
     set announcements_due_at = case when exists (
         select from webhook_announcements
         where organization_id = $1 and webhook_id = $2
       ) then $3::timestamptz end
     where organization_id = $1 and id = $2`,
    [organization_id, id, hasMore ? now : nextComparison(now)],
  )
}

/** Each device is announced again with its next uplink. */
export async function announceAgain(
  db: Queryable,
  { organization_id, id }: OfWebhook,
): Promise<void> {
  await db.query(
    `update webhook_announcements set digest = null
     where organization_id = $1 and webhook_id = $2`,
    [organization_id, id],
  )
}

/** After a change of the webhook: what was announced is compared with it at once. */
export async function compareSoon(
  tx: Queryable,
  { organization_id, id }: OfWebhook,
  { now, isElsewhere, isOnAgain }: { now: Date; isElsewhere: boolean; isOnAgain: boolean },
): Promise<void> {
  // The former broker's login is gone with its address.
  if (isElsewhere) {
    await tx.query(
      'delete from webhook_announcements where organization_id = $1 and webhook_id = $2',
      [organization_id, id],
    )
  }
  if (isOnAgain) await announceAgain(tx, { organization_id, id })
  await tx.query(
    `update webhooks set announcements_due_at = $3
     where organization_id = $1 and id = $2 and announcements_due_at is not null`,
    [organization_id, id, now],
  )
}
