/**
 * A clock that passes many days in a short time. Between two hops it runs as fast as any clock, so what
 * takes seconds (claims, pauses, signs of life) is as it is. At a hop it goes hours ahead. It depends
 * only on the real time, so all processes and the database agree without a word.
 */
export interface ClockPlan {
  /** Real time of the first day's begin, in milliseconds since 1970. */
  begin: number
  /** How far behind it is until then. */
  behind: number
  /** Real time between two hops. */
  interval: number
  /** How far it goes ahead at each one. */
  hop: number
  hops: number
}

export const dayMilliseconds = 24 * 60 * 60 * 1000

/** Less would leave too little between two hops for claims that take seconds. */
const leastInterval = 5_000
const hoursOfDay = 24

/** A hop each hour, or longer ones. At the end it shows the real time. */
export function planClock(days: number, minutes: number, begin: number): ClockPlan {
  const length = minutes * 60_000
  const most = Math.floor(length / leastInterval)
  const hops = Math.max(1, Math.min(Math.round(days * hoursOfDay), most))
  const behind = Math.max(0, days * dayMilliseconds - length)
  return { begin, behind, interval: length / hops, hop: behind / hops, hops }
}

/** What the clock shows, both in milliseconds since 1970: whole ones, as any clock does. */
export function timeAt(plan: ClockPlan, real: number): number {
  return Math.floor(real - plan.behind + hopsAt(plan, real) * plan.hop)
}

/** How many hops there were. */
export function hopsAt({ begin, interval, hops }: ClockPlan, real: number): number {
  return Math.min(Math.max(Math.floor((real - begin) / interval), 0), hops)
}

/** Milliseconds until the next hop; undefined after the last one. */
export function untilHop(plan: ClockPlan, real: number): number | undefined {
  const next = hopsAt(plan, real) + 1
  return next > plan.hops ? undefined : plan.begin + next * plan.interval - real
}

/**
 * SQL that gives a database this clock: all functions of the time that the service asks. Functions of
 * `public` come before those of the system when the search path says so.
 */
export function clockSql(plan: ClockPlan, database: string): string {
  const show = (name: string, volatility: string) => {
    const real = `pg_catalog.${name}()`
    const passed = `floor((extract(epoch from ${real})::float8 * 1000 - ${plan.begin}) / ${plan.interval})`
    const ahead = `${plan.hop} * least(greatest(${passed}, 0), ${plan.hops}) - ${plan.behind}`
    return `create or replace function public.${name}() returns timestamptz language sql
      ${volatility} parallel safe
      as $$ select ${real} + make_interval(secs => (${ahead}) / 1000.0) $$;`
  }
  return `${show('now', 'stable')} ${show('statement_timestamp', 'stable')}
    ${show('clock_timestamp', 'volatile')}
    alter database ${database} set search_path = public, pg_catalog`
}
