import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { groupsBelow } from '../../fleet/inventory/groups-below.ts'
import { havingTag } from '../../fleet/inventory/tags.ts'
import type { ListedChannel } from '../channels/channel-queries.ts'
import { type Severity, severities } from './alert-kinds.ts'
import { type ListedAlert, listedColumns, listedJoins } from './alert-queries.ts'

/** When something was last told in the organization: two ends of indexes. */
export async function findLatestNews(
  tx: Queryable,
  organizationId: number,
): Promise<Moment | null> {
  const rows = await tx.query<{ latest: Moment | null }>(
    `select greatest(
       (select max(told_at) from alerts where organization_id = $1 and told_at is not null),
       (select max(back_told_at) from alerts
        where organization_id = $1 and back_told_at is not null)
     ) as latest`,
    [organizationId],
  )
  return rows[0]?.latest ?? null
}

/** SQL: what a channel tells of, by `$2` to `$4`: its severities, its group, its tag. */
const isChosen = `alerts.organization_id = $1 and alerts.state <> 'pending'
  and rules.severity = any($2::text[])
  and ($3::bigint is null or alerts.device_id in (
    select grouped.device_id from grouped_devices as grouped
    where grouped.organization_id = $1 and grouped.group_id in (
      with recursive ${groupsBelow('$1', '$3')}
      select below.id from below
    )
  ))
  and ($4::text is null or ${havingTag('devices.tags', '$4::text')}
    or ${havingTag('gateways.tags', '$4::text')})`

/** SQL: the devices that follow a gateway into silence, of which a message has told, are no news. */
const isKnownOutage = `alerts.cause_gateway_id is not null and exists (
    select from alerts as earlier
    where earlier.organization_id = $1 and earlier.rule_id = alerts.rule_id
      and earlier.state = 'open' and earlier.cause_gateway_id = alerts.cause_gateway_id
      and earlier.told_at <= $5
  )`

/** SQL: what has begun after `$5` and up to `$6`; with `$7`, only what nobody looks after. */
const hasBegun = `alerts.told_at > $5 and alerts.told_at <= $6 and not (${isKnownOutage})
  and (not $7::boolean or alerts.state = 'open' and alerts.acknowledged_at is null
    and alerts.snoozed_until is null)`

/** SQL: what a message has told of before, and is over now. Who closes an alert knows of it. */
const hasEnded = `alerts.back_told_at > $5 and alerts.back_told_at <= $6 and alerts.told_at <= $5
  and alerts.state = 'closed' and not alerts.details ? 'ended' and not $7::boolean`

export interface Portion {
  count: number
  worst: Severity | null
  /** The first ones, the worst first. */
  alerts: ListedAlert[]
}

/** What a channel has to tell of the time after `after`, up to `upTo`. */
export async function readPortion(
  tx: Queryable,
  channel: ListedChannel,
  part: 'begun' | 'ended',
  { after, upTo, most }: { after: Moment; upTo: Date; most: number },
): Promise<Portion> {
  const condition = part === 'begun' ? hasBegun : hasEnded
  const values = [...chosenBy(channel), after, upTo, channel.after_minutes > 0]
  const rank = `array_position($2::text[], rules.severity)`
  const [found] = await tx.query<{ count: number; rank: number | null }>(
    `select count(*) as count, min(${rank}) as rank from alerts ${listedJoins}
     where ${isChosen} and ${condition}`,
    values,
  )
  if (!found || found.count === 0) return { count: 0, worst: null, alerts: [] }
  const alerts = await tx.query<ListedAlert>(
    `select ${listedColumns} from alerts ${listedJoins}
     where ${isChosen} and ${condition}
     order by ${rank}, alerts.id
     limit $8`,
    [...values, most],
  )
  return { count: found.count, worst: worstFirst(channel)[(found.rank ?? 0) - 1] ?? null, alerts }
}

/** Whether something that the channel tells of is open. */
export async function hasOpen(tx: Queryable, channel: ListedChannel): Promise<boolean> {
  const rows = await tx.query(
    `select from alerts ${listedJoins}
     where ${isChosen} and alerts.state = 'open' and alerts.told_at is not null limit 1`,
    chosenBy(channel),
  )
  return rows.length > 0
}

function chosenBy(channel: ListedChannel): unknown[] {
  return [channel.organization_id, worstFirst(channel), channel.group_id, channel.tag]
}

function worstFirst({ severity }: ListedChannel): Severity[] {
  return severities.slice(severities.indexOf(severity)).toReversed()
}

/** Messages of channels since a time: of a member, an organization and its tenant. */
export async function countMessages(
  tx: Queryable,
  organizationId: number,
  { userId, since }: { userId: number; since: Date },
): Promise<{ user: number; organization: number; tenant: number }> {
  const known = await tx.query<{ id: number }>(
    `select others.id from organizations as own
     join organizations as others on others.tenant_id = own.tenant_id
     where own.id = $1`,
    [organizationId],
  )
  const rows = await tx.query<{ user: number; organization: number; tenant: number }>(
    `select count(*) as tenant, count(*) filter (where organization_id = $1) as organization,
       count(*) filter (where organization_id = $1 and user_id = $2) as user
     from alert_messages
     where organization_id = any($3::bigint[]) and created_at > $4 and channel_id is not null`,
    [organizationId, userId, known.map(({ id }) => id), since],
  )
  return rows[0] ?? { user: 0, organization: 0, tenant: 0 }
}

export async function insertMessage(
  tx: Queryable,
  { organization_id, id, user_id }: ListedChannel,
  message: {
    severity: Severity | null
    url: string
    isOpen: boolean
    subject: string
    body: string
    now: Date
  },
): Promise<void> {
  const { severity, url, isOpen, subject, body, now } = message
  await tx.query(
    `insert into alert_messages (
       organization_id, key, user_id, channel_id, severity, url, is_open, subject, body,
       next_attempt_at, created_at
     )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
     on conflict do nothing`,
    [
      ...[organization_id, `channel_${id}_${now.getTime()}`, user_id, id, severity, url, isOpen],
      ...[subject, body, now],
    ],
  )
}
