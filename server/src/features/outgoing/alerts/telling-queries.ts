import type { Queryable } from '../../../db/connect.ts'
import { queueForWebhooks, wireTime } from '../events/webhook-event-queries.ts'
import { gatheringSeconds as gatheringOfChannels } from './tell-channels.ts'

/** Seconds in which a digest gathers what happens together. */
const gatheringSeconds = 60
/** Seconds between two digests of a rule. */
const betweenSeconds = 300
/** Alerts that one transaction reports. */
const mostTold = 5_000

/**
 * SQL: alerts of which something is to be told and not muted: their beginning, their end, or both. The end
 * of a snooze is another beginning.
 * What has begun and ended in silence is told no more, unless both happened just now: one portion of
 * uplinks can hold the two. `$1`, `$2`: now.
 */
const news = `select alerts.id, alerts.rule_id, alerts.cause_gateway_id, alerts.digest_id,
    alerts.state = 'open' or alerts.told_at is null as begins, alerts.state <> 'open' as ends,
    rules.tells_back and alerts.state <> 'dismissed' as tells_back,
    digests.id as gathering_id
  from (
    select * from alerts
    where organization_id = $1 and state = 'open' and told_at is null
      and (snoozed_until is null or snoozed_until <= $2)
    union all
    select * from alerts
    where organization_id = $1 and state = 'open' and told_at is not null and snoozed_until <= $2
    union all
    select * from alerts
    where organization_id = $1 and state in ('dismissed', 'closed') and told_at is not null
      and back_told_at is null
    union all
    select * from alerts
    where organization_id = $1 and state = 'closed' and closed_at = $2 and told_at is null
      and back_told_at is null
  ) as alerts
  join alert_rules as rules on rules.organization_id = $1 and rules.id = alerts.rule_id
  left join alert_digests as digests on digests.organization_id = $1
    and digests.rule_id = alerts.rule_id and digests.written_at is null
  left join alert_mutes as mutes
    on mutes.organization_id = $1 and mutes.device_id = alerts.device_id
  where (rules.muted_until is null or rules.muted_until <= $2::timestamptz)
    and (mutes.muted_until is null or mutes.muted_until <= $2::timestamptz)
  order by alerts.id
  limit ${mostTold}`

/**
 * SQL: outages of gateways of which mails have told already. The devices that follow such a gateway
 * into silence are no news; all of them are in the list.
 */
const knownCauses = `select distinct earlier.rule_id, earlier.cause_gateway_id
  from alerts as earlier
  join alert_digests as digests
    on digests.organization_id = $1 and digests.id = earlier.digest_id
  where earlier.organization_id = $1 and earlier.state = 'open'
    and earlier.cause_gateway_id is not null and digests.written_at is not null`

/** SQL: gateways behind which devices are still silent: one mail tells when all are back. */
const openCauses = `select distinct others.rule_id, others.cause_gateway_id
  from alerts as others
  where others.organization_id = $1 and others.state = 'open'
    and others.cause_gateway_id is not null`

/** SQL: whether the cause of some news is among these. A list that is made once, whatever its use. */
const isAmong = (causes: string) => `(news.cause_gateway_id is not null
    and (news.rule_id, news.cause_gateway_id) in (select rule_id, cause_gateway_id from ${causes}))`

/**
 * SQL: which digest tells the end of an alert. The one that tells its beginning says there that it is
 * over already.
 */
const endingDigest = `case when not news.ends then alerts.back_digest_id
    when news.tells_back and news.gathering_id is distinct from coalesce(alerts.digest_id,
      case when news.begins then news.gathering_id end) and not ${isAmong('behind')}
    then news.gathering_id end`

/** SQL: what webhooks get of an alert `told` at a `step`, and what it needs besides the two. */
export const alertEvent = `jsonb_build_object(
     'alert_id', told.id, 'rule_id', told.rule_id, 'rule_name', rules.name, 'kind', told.kind,
     'severity', rules.severity,
     'state', step.state, 'began_at', ${wireTime('told.began_at')},
     'opened_at', ${wireTime('told.opened_at')},
     'closed_at', case step.state when 'closed' then ${wireTime('told.closed_at')} end,
     'key', told.details ->> 'key', 'value', told.value, 'bound', told.bound, 'message', told.details ->> 'message',
     'empty_at', told.details ->> 'empty_at', 'gateway_id', gateways.gateway_eui,
     'gateway_name', gateways.name, 'cause_gateway_id', causes.gateway_eui,
     'cause_gateway_name', causes.name
   ) || case when told.device_id is null
     then jsonb_build_object('network', gateways.network, 'tags', gateways.tags) else '{}' end`
export const alertEventJoins = `join alert_rules as rules
     on rules.organization_id = $1 and rules.id = told.rule_id
   left join gateways on gateways.organization_id = $1 and gateways.id = told.gateway_id
   left join gateways as causes
     on causes.organization_id = $1 and causes.id = told.cause_gateway_id`

/** SQL: the events of the alerts that a part of a `with` has told, in their order. */
const queued = queueForWebhooks(
  'alert',
  `select told.organization_id, coalesce(told.device_id, 0) as device_id, ${alertEvent} as data
   from told
   cross join lateral (
     values (1, 'open', told.begins), (2, 'closed', told.ends)
   ) as step (place, state, is_news)
   ${alertEventJoins}
   where step.is_news
   order by told.id, step.place`,
)

/**
 * Tells of everything that nobody was told yet and that is not muted: queues it for webhooks, and
 * gathers it in one digest for each rule. In the transaction that opens and closes alerts, or in a
 * later one after the end of a mute. Returns whether there may be more.
 */
export async function tellNews(tx: Queryable, organizationId: number, now: Date): Promise<boolean> {
  const values = [organizationId, now]
  await tx.query(
    `with news as (
       select distinct rule_id from (${news}) as news where begins or tells_back
     )
     insert into alert_digests (organization_id, rule_id, due_at)
     select $1, rules.id, greatest(
       $2::timestamptz + interval '${gatheringSeconds} seconds',
       rules.digested_at + interval '${betweenSeconds} seconds'
     )
     from news
     join alert_rules as rules on rules.organization_id = $1 and rules.id = news.rule_id
     where rules.recipients <> '{}'
     on conflict do nothing`,
    values,
  )
  const [told] = await tx.query<{ count: number }>(
    `with news as materialized (${news}), known as materialized (${knownCauses}),
     behind as materialized (${openCauses}), told as (
       update alerts
       set told_at = case when news.begins then $2 else alerts.told_at end,
         snoozed_until = case when news.begins then null else alerts.snoozed_until end,
         acknowledged_at = case when alerts.snoozed_until <= $2 then null
           else alerts.acknowledged_at end,
         acknowledged_by = case when alerts.snoozed_until <= $2 then null
           else alerts.acknowledged_by end,
         digest_id = case when news.begins and not ${isAmong('known')} then news.gathering_id
           else alerts.digest_id end,
         back_told_at = case when news.ends then $2::timestamptz end,
         back_digest_id = ${endingDigest}
       from news
       where alerts.organization_id = $1 and alerts.id = news.id
       returning alerts.*, news.begins, news.ends
     ), queued as (${queued})
     select count(*) from told`,
    values,
  )
  const count = told?.count ?? 0
  if (count > 0) {
    await tx.query(
      `update alert_watches set next_tell_at = coalesce(next_tell_at, $2)
       where organization_id = $1`,
      [organizationId, new Date(now.getTime() + gatheringOfChannels * 1000)],
    )
  }
  return count >= mostTold
}
