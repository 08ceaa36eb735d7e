import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import {
  combineFormats,
  type Formats,
  type SomeFormats,
  type SomeOwnFormats,
} from '../../../lora/formats.ts'
import { type ListedAlert, listedColumns, listedJoins } from './alert-queries.ts'
import type { StoredRule } from './rule-queries.ts'

/** A digest whose time has come. */
export interface DueDigest {
  id: number
  rule_id: number
}

export function listDue(tx: Queryable, organizationId: number, now: Date): Promise<DueDigest[]> {
  return tx.query<DueDigest>(
    `select id, rule_id from alert_digests
     where organization_id = $1 and written_at is null and due_at <= $2
     order by id`,
    [organizationId, now],
  )
}

export interface DigestRule
  extends Pick<StoredRule, 'id' | 'name' | 'kind' | 'settings' | 'recipients'> {
  organization_name: string
}

export async function findRule(
  tx: Queryable,
  organizationId: number,
  id: number,
): Promise<DigestRule | undefined> {
  const [rule] = await tx.query<Omit<DigestRule, 'organization_name'>>(
    `select id, name, kind, settings, recipients from alert_rules
     where organization_id = $1 and id = $2`,
    [organizationId, id],
  )
  const [organization] = await tx.query<{ name: string }>(
    'select name from organizations where id = $1',
    [organizationId],
  )
  return rule && { ...rule, organization_name: organization?.name ?? '' }
}

/** How many alerts of a digest have one cause. */
export interface CauseCount {
  gateway_id: number | null
  gateway_eui: string | null
  gateway_name: string | null
  last_seen: Moment | null
  count: number
}

const columnOf = { begun: 'digest_id', ended: 'back_digest_id' } as const

/** Those without a cause come last. */
export function countCauses(
  tx: Queryable,
  organizationId: number,
  digestId: number,
  part: keyof typeof columnOf,
): Promise<CauseCount[]> {
  return tx.query<CauseCount>(
    `select causes.*, gateways.gateway_eui, gateways.name as gateway_name, states.last_seen
     from (
       select alerts.cause_gateway_id as gateway_id, count(*) as count from alerts
       where alerts.organization_id = $1 and alerts.${columnOf[part]} = $2
       group by alerts.cause_gateway_id
     ) as causes
     left join gateways
       on gateways.organization_id = $1 and gateways.id = causes.gateway_id
     left join gateway_states as states
       on states.organization_id = $1 and states.gateway_id = causes.gateway_id
     order by causes.gateway_id is null, causes.count desc`,
    [organizationId, digestId],
  )
}

/** The first alerts of a digest, those without a cause before the others. */
export function listAlerts(
  tx: Queryable,
  organizationId: number,
  digestId: number,
  { part, most }: { part: keyof typeof columnOf; most: number },
): Promise<ListedAlert[]> {
  return tx.query<ListedAlert>(
    `select ${listedColumns} from alerts ${listedJoins}
     where alerts.organization_id = $1 and alerts.${columnOf[part]} = $2
     order by alerts.cause_gateway_id is not null, alerts.id
     limit $3`,
    [organizationId, digestId, most],
  )
}

/**
 * Closes a digest: what happens from now on is in the next one. One that has nothing to tell, since
 * all of it follows from a known outage, leaves no trace.
 */
export async function note(
  tx: Queryable,
  organizationId: number,
  { id, rule_id }: DueDigest,
  { now, isEmpty }: { now: Date; isEmpty: boolean },
): Promise<void> {
  if (isEmpty) {
    await tx.query('delete from alert_digests where organization_id = $1 and id = $2', [
      organizationId,
      id,
    ])
    return
  }
  await tx.query(
    'update alert_digests set written_at = $3 where organization_id = $1 and id = $2',
    [organizationId, id, now],
  )
  await tx.query('update alert_rules set digested_at = $3 where organization_id = $1 and id = $2', [
    organizationId,
    rule_id,
    now,
  ])
}

/** A mail for each recipient; a mail of a digest exists once. */
/** How a recipient reads numbers and times. */
export interface Reader {
  timeZone: string
  formats: Formats
}

/** The recipients by how they read. */
export async function listReaders(
  tx: Queryable,
  organizationId: number,
  recipients: readonly number[],
): Promise<{ reader: Reader; ids: number[] }[]> {
  const rows = await tx.query<{
    ids: number[]
    time_zone: string
    own: SomeOwnFormats
    formats: SomeFormats
  }>(
    `select json_agg(users.id order by users.id) as ids,
       coalesce(users.time_zone, organizations.timezone_format) as time_zone,
       users.formats as own, organizations.formats
     from users cross join organizations
     where users.id = any($2::bigint[]) and organizations.id = $1
     group by 2, users.formats, organizations.formats`,
    [organizationId, recipients],
  )
  return rows.map(({ ids, time_zone: timeZone, own, formats }) => ({
    reader: { timeZone, formats: combineFormats(own, formats) },
    ids,
  }))
}

export async function insertMails(
  tx: Queryable,
  organizationId: number,
  digest: DueDigest,
  mail: { recipients: readonly number[]; subject: string; body: string; now: Date },
): Promise<void> {
  await tx.query(
    `insert into alert_messages
       (organization_id, key, user_id, subject, body, next_attempt_at, created_at)
     select $1, 'digest_' || $2::bigint || '_' || asked.user_id, asked.user_id, $4, $5, $6, $6
     from unnest($3::bigint[]) as asked (user_id)
     on conflict do nothing`,
    [organizationId, digest.id, mail.recipients, mail.subject, mail.body, mail.now],
  )
}
