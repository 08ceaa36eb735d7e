import { beginningHours } from '../inventory/verdict-queries.ts'

/**
 * The one judgement of gateways: silent is one that passed no uplink on for longer than ten of the usual
 * intervals between its uplinks, at least a quarter of an hour and at most a day, or for an hour where
 * these are not known.
 */

/** So many usual intervals without an uplink are silence. */
export const missedUplinks = 10
export const leastMinutes = 15
export const mostMinutes = 24 * 60
const unknownSeconds = 3600

const note = (order: string) => `(
    select notes.hour, notes.uplink_count from gateway_hours as notes
    where notes.organization_id = $1 and notes.gateway_id = states.gateway_id
      and notes.hour <= states.last_seen and notes.hour > states.last_seen - interval '7 days'
    order by notes.hour ${order} limit 1
  )`

/**
 * SQL: `usual.seconds` between uplinks of the gateway in `states`, of organization `$1`, from its counters by the hour in the
 * week before it was heard last; null where these do not say.
 */
export const ofUsual = `left join lateral (
    select extract(epoch from newest.hour - oldest.hour)::double precision
      / nullif(newest.uplink_count - oldest.uplink_count, 0) as seconds
    from ${note('')} as oldest cross join ${note('desc')} as newest
    where newest.hour > oldest.hour
  ) as usual on true`

/** SQL: the seconds for which a gateway may be silent. The values are SQL too, the last two in seconds. */
export const silenceLimit = (missed: string, least: string, most: string) =>
  `least(greatest(coalesce(${missed} * usual.seconds, ${unknownSeconds}), ${least}), ${most})`

/** SQL: the limit of the verdict. */
export const usualLimit = silenceLimit(
  String(missedUplinks),
  String(leastMinutes * 60),
  String(mostMinutes * 60),
)

/** SQL: the verdict of `gateways`, with `states` and `usual`; one of `verdictStates`. */
export const gatewayVerdictAt = (now: string) => `case
    when coalesce(
      states.last_seen + make_interval(secs => ${usualLimit}),
      gateways.created_at + interval '${beginningHours} hours'
    ) < ${now}::timestamptz then 'silent'
    when gateways.register_status = 'register_error' then 'attention'
    when states.last_seen is null then 'new'
    else 'ok'
  end`
