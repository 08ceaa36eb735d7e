import type { Queryable } from '../../../db/connect.ts'

/**
 * The longest interval, even if a network requests a longer one. With longer pauses, no task of
 * several calls was ever completed.
 */
const longestIntervalMs = 5_000
/** A shorter interval needs no pace. */
const shortestIntervalMs = 20
/**
 * After this time without a request to slow down, a somewhat quicker pace is tried. After this time
 * without calls, the pace is removed.
 */
const trialMinutes = 10

/**
 * Takes the next turn of a paced account, and returns its time; undefined when the account has no
 * pace. If the turn is later than `latest`, it returns the time but does not take the turn.
 */
export async function takeTurn(
  db: Queryable,
  accountId: number,
  now: Date,
  latest: Date,
): Promise<Date | undefined> {
  const turns = await db.query<{ at: number | null }>(
    `with account as (
       select id, greatest(next_call_at, $2) as at,
         slowed_at <= $2::timestamptz - interval '${trialMinutes} minutes' as is_trial,
         case
           when slowed_at > $2::timestamptz - interval '${trialMinutes} minutes'
             then call_interval_ms
           when next_call_at > $2::timestamptz - interval '${trialMinutes} minutes'
             and call_interval_ms > ${shortestIntervalMs} then call_interval_ms * 0.8
         end as step
       from network_accounts
       where id = $1 and call_interval_ms is not null
       for update
     ), taken as (
       update network_accounts as accounts
       set call_interval_ms = account.step,
         slowed_at = case when account.is_trial then $2 else slowed_at end,
         next_call_at = case when account.at <= $3
           then account.at + make_interval(secs => coalesce(account.step, 0) / 1000)
           else next_call_at end
       from account
       where accounts.id = account.id
     )
     select case when step is not null then extract(epoch from at)::float8 * 1000 end as at
     from account`,
    [accountId, now, latest],
  )
  const at = turns[0]?.at
  return at === undefined || at === null ? undefined : new Date(at)
}

interface SlowDown {
  pauseMs: number
  /** The interval between two calls, if the network reports what it allows. */
  statedMs: number | undefined
  /** The interval as estimated here, used if the account has no pace yet. */
  estimatedMs: number
  began: Date
}

/**
 * Records that the network requested to slow down: calls go on after a pause, with longer
 * intervals. If the call began after the last change of the pace, the current pace is still too
 * quick.
 */
export async function slowDown(
  db: Queryable,
  accountId: number,
  { pauseMs, statedMs, estimatedMs, began }: SlowDown,
  now: Date,
): Promise<void> {
  await db.query(
    `update network_accounts
     set call_interval_ms = least(${longestIntervalMs}, greatest(${shortestIntervalMs}, $2,
         coalesce(call_interval_ms * case when slowed_at < $4 then 1.1 else 1 end,
           case when $2::float8 is null then $3::float8 end))),
       slowed_at = $5, next_call_at = greatest(next_call_at, $6)
     where id = $1`,
    [accountId, statedMs, estimatedMs, began, now, new Date(now.getTime() + pauseMs)],
  )
}
