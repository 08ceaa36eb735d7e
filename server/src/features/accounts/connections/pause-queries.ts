import type { Queryable } from '../../../db/connect.ts'
import type { AccountStatus } from './account-queries.ts'

/**
 * The background pauses an account that does not answer, or that its network does not accept. It
 * does not even read the work that waits for the account. An account that does not answer is tried
 * often for about five minutes, after pauses that grow to five seconds, so that its return is
 * noticed soon. Later pauses are an eighth of the outage. The pauses of an account that is not
 * accepted double, because some networks lock out clients that try too often. Both kinds of pauses
 * stop growing at five minutes.
 */

/** Failures in a row after which an account is paused; a refusal is enough by itself. */
export const pausingFailures = 3

/**
 * In seconds. Up to a quarter is added at random, so that a thousand accounts do not return at
 * once.
 */
function pauseAfter(failures: string, status: string): string {
  const tries = `least(${failures}, 200) - 2`
  const ofRefused = `power(2, least(20, ${tries}))`
  const ofAway = `greatest(least(5, power(1.125, ${tries})), power(1.125, ${tries} - 45))`
  return `least(300, case ${status} when 'refused' then ${ofRefused} else ${ofAway} end)
    * (1 + 0.25 * random())`
}

/** Records a failed call. Ignores failures during a pause: those calls began before it. */
export async function noteFailure(
  db: Queryable,
  accountId: number,
  { status, message }: { status: Exclude<AccountStatus, 'connected'>; message: string },
  now: Date,
): Promise<void> {
  await db.query(
    `update network_accounts as accounts
     set status = $2, status_message = $3, failures = counted.failures,
       status_since = case when accounts.status = $2 then accounts.status_since else $4 end,
       paused_until = case when counted.failures >= ${pausingFailures}
         then $4::timestamptz + make_interval(secs => ${pauseAfter('counted.failures', '$2::text')})
       end
     from (
       select id, case when $2 = 'refused' then greatest(failures + 1, ${pausingFailures})
         else failures + 1 end as failures
       from network_accounts
       where id = $1 and (paused_until is null or paused_until <= $4)
       for update
     ) as counted
     where accounts.id = counted.id`,
    [accountId, status, message, now],
  )
}

/**
 * SQL: whether `notePartlyRefused` was the last to set the status. A refusal of the whole account
 * has failures.
 */
export function isPartlyRefused(table = 'network_accounts'): string {
  return `(${table}.status = 'refused' and ${table}.failures = 0)`
}

/**
 * Records that the network accepts the account but allows only a part of its functions. The other
 * functions go on, so nothing is paused. This status stays until the whole account is proven.
 */
export async function notePartlyRefused(
  db: Queryable,
  accountId: number,
  message: string,
): Promise<void> {
  await db.query(
    `update network_accounts
     set status = 'refused', status_message = $2, failures = 0, paused_until = null,
       status_since = case when status = 'refused' then status_since else now() end
     where id = $1`,
    [accountId, message],
  )
}

/**
 * Ends the pause of an account that did not answer, because its network has sent a message. Returns
 * true when there was a pause to end.
 */
export async function endPause(db: Queryable, accountId: number, now: Date): Promise<boolean> {
  const ended = await db.query(
    `update network_accounts set paused_until = null
     where id = $1 and status = 'unreachable' and paused_until > $2
     returning id`,
    [accountId, now],
  )
  return ended.length > 0
}

/** Whether the network refuses the whole account. False if it allows a part. */
export async function isRefused(db: Queryable, accountId: number): Promise<boolean> {
  const refused = await db.query(
    `select id from network_accounts
     where id = $1 and status = 'refused' and not ${isPartlyRefused()}`,
    [accountId],
  )
  return refused.length > 0
}

/** The pause for a network that asks to slow down and gives no time. */
export const usualSlowDownMs = 5_000

/**
 * Records that the network takes no more calls for a while. The account itself is correct, and the
 * work can wait.
 */
export async function noteSlowDown(
  db: Queryable,
  accountId: number,
  {
    message,
    retryAfterMs = usualSlowDownMs,
  }: { message: string; retryAfterMs?: number | undefined },
  now: Date,
): Promise<void> {
  const until = new Date(now.getTime() + retryAfterMs)
  const words = `${message.replace(/\.$/, '')}, until ${until.toISOString().slice(0, 19)}Z.`
  await db.query(
    `update network_accounts
     set status = case when ${isPartlyRefused()} then status else 'connected' end,
       status_message = case when ${isPartlyRefused()} then status_message else $2 end,
       failures = 0, paused_until = greatest(paused_until, $3::timestamptz)
     where id = $1`,
    [accountId, words, until],
  )
}
