import type { Database, Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { leastMinutes, ofUsual, usualLimit } from './gateway-verdict-queries.ts'

/**
 * The outages of gateways: the times for which the verdict was `silent`, from the last uplink before to
 * the first one after. Uptime is what is left.
 */

/** Of a gateway; the oldest ones go. */
const most = 1000
const keptDays = 731
const dayMs = 24 * 60 * 60 * 1000

/** SQL: the outages of the organization `$1` that go on. */
const present = `select outages.gateway_id from gateway_outages as outages
  where outages.organization_id = $1 and outages.ended_at is null`

/** Organizations in which an outage may have begun or ended: their gateways are quiet, or heard again. */
export async function listChanging(db: Queryable, now: Date): Promise<number[]> {
  const rows = await db.query<{ organization_id: number }>(
    `select distinct states.organization_id
     from gateway_states as states
     left join gateway_outages as outages on outages.organization_id = states.organization_id
       and outages.gateway_id = states.gateway_id and outages.ended_at is null
     where outages.began_at < states.last_seen or (outages.began_at is null
       and states.last_seen < $1::timestamptz - interval '${leastMinutes} minutes')`,
    [now],
  )
  return rows.map(({ organization_id }) => organization_id)
}

/** Ends the outages of gateways that are heard again, and begins those of silent ones. */
export function noteChanges(
  db: Database,
  organizationId: number,
  { watchedSince, now }: { watchedSince: Date; now: Date },
): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.query(
      `update gateway_outages as outages set ended_at = states.last_seen
       from gateway_states as states
       where outages.organization_id = $1 and outages.ended_at is null
         and states.organization_id = $1 and states.gateway_id = outages.gateway_id
         and states.last_seen > outages.began_at`,
      [organizationId],
    )
    const begun = await tx.query<{ gateway_id: number }>(
      `insert into gateway_outages (organization_id, gateway_id, began_at)
       select $1, gateways.id, greatest(states.last_seen, $2::timestamptz)
       from gateways
       join gateway_states as states on states.organization_id = gateways.organization_id
         and states.gateway_id = gateways.id
       ${ofUsual}
       where gateways.organization_id = $1 and gateways.deleted_at is null
         and greatest(states.last_seen, $2::timestamptz) + make_interval(secs => ${usualLimit})
           < $3::timestamptz
         and states.last_seen is not null and gateways.id not in (${present})
       on conflict do nothing
       returning gateway_id`,
      [organizationId, watchedSince, now],
    )
    if (begun.length === 0) return
    await tx.query(
      `delete from gateway_outages as old using (
         select gateway_id, began_at, row_number() over (
           partition by gateway_id order by began_at desc
         ) as place
         from gateway_outages where organization_id = $1 and gateway_id = any($2::bigint[])
       ) as ranked
       where old.organization_id = $1 and old.gateway_id = ranked.gateway_id
         and old.began_at = ranked.began_at and ranked.place > ${most}`,
      [organizationId, begun.map(({ gateway_id }) => gateway_id)],
    )
  })
}

export async function removeOldOutages(db: Queryable, now: Date): Promise<void> {
  await db.query('delete from gateway_outages where ended_at < $1', [
    new Date(now.getTime() - keptDays * dayMs),
  ])
}

/**
 * SQL: the percentage of a time until now in which the gateway of `states` was not silent, counted from
 * its first uplink on; null before that. The values are SQL too.
 */
export function uptimeSince(from: string, now: string): string {
  const since = `greatest(states.first_seen, ${from})`
  return `case when states.first_seen < ${now} then (
    select 100 - 100 * coalesce(
      sum(extract(epoch from least(outages.ended_at, ${now}) - greatest(outages.began_at, ${since}))), 0
    ) / extract(epoch from ${now} - ${since})
    from gateway_outages as outages
    where outages.organization_id = $1 and outages.gateway_id = states.gateway_id
      and outages.began_at < ${now} and coalesce(outages.ended_at, 'infinity') > ${since}
  )::double precision end`
}

/** What is known of the outages of a gateway. */
export interface KnownTime {
  id: number
  gateway_eui: string
  name: string
  network: string
  /** Null before its first uplink. */
  known_since: Moment | null
}

/** Nothing is known of the time before the first uplink, and before the oldest outage that is kept. */
export function listKnownTimes(
  db: Queryable,
  organizationId: number,
  ids: readonly number[],
  now: Date,
): Promise<KnownTime[]> {
  return db.query<KnownTime>(
    `select gateways.id, gateways.gateway_eui, gateways.name, gateways.network,
       case when states.first_seen is not null
         then greatest(states.first_seen, $3::timestamptz, kept.since) end as known_since
     from gateways
     join gateway_states as states on states.organization_id = gateways.organization_id
       and states.gateway_id = gateways.id
     cross join lateral (
       select case when count(*) >= ${most} then min(outages.ended_at) end as since
       from gateway_outages as outages
       where outages.organization_id = $1 and outages.gateway_id = gateways.id
     ) as kept
     where gateways.organization_id = $1 and gateways.id = any($2::bigint[])
     order by array_position($2::bigint[], gateways.id)`,
    [organizationId, ids, new Date(now.getTime() - keptDays * dayMs)],
  )
}

/** The outages of a gateway in a part of time; there is none where it had none. */
export interface OutageSum {
  gateway_id: number
  /** From 0. */
  part: number
  seconds: number
  /** Those that began in it. */
  outages: number
}

export function sumOutages(
  db: Queryable,
  organizationId: number,
  ids: readonly number[],
  { starts, ends, now }: { starts: readonly Date[]; ends: readonly Date[]; now: Date },
): Promise<OutageSum[]> {
  return db.query<OutageSum>(
    `select outages.gateway_id, (part.place - 1)::integer as part,
       sum(extract(epoch from least(outages.ended_at, part.ends, $5::timestamptz)
         - greatest(outages.began_at, part.begins)))::double precision as seconds,
       count(*) filter (where outages.began_at >= part.begins)::integer as outages
     from gateway_outages as outages
     join unnest($3::timestamptz[], $4::timestamptz[]) with ordinality
       as part (begins, ends, place)
       on outages.began_at < least(part.ends, $5::timestamptz)
       and coalesce(outages.ended_at, 'infinity') > part.begins
     where outages.organization_id = $1 and outages.gateway_id = any($2::bigint[])
     group by outages.gateway_id, part.place`,
    [organizationId, ids, starts, ends, now],
  )
}

export interface Outage {
  began_at: Moment
  ended_at: Moment | null
}

/** The newest first. */
export function listOutages(
  db: Queryable,
  organizationId: number,
  id: number,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Promise<Outage[]> {
  return db.query<Outage>(
    `select began_at, ended_at from gateway_outages
     where organization_id = $1 and gateway_id = $2 and began_at < $4
       and (ended_at is null or ended_at > $3)
     order by began_at desc
     limit $5`,
    [organizationId, id, from, to, limit],
  )
}
