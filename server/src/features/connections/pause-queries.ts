import type { Queryable } from '../../db/connect.ts'
import type { AccountStatus } from './account-queries.ts'

/**
 * An account that does not answer, or that its network does not accept, is left alone by the
 * background: what waits for it is not even looked at. One that does not answer is tried every five
 * seconds for about five minutes, so that it is found back soon, and then after pauses of an eighth
 * of its outage. The pauses of one that is not accepted double, as some networks lock who tries too
 * often. Neither lasts longer than five minutes.
 */

/** Failures in a row after which an account is paused; a refusal is enough by itself. */
export const pausingFailures = 3

/** In seconds; up to a quarter more, so that a thousand accounts do not come back at once. */
function pauseAfter(failures: string, status: string): string {
  const tries = `least(${failures}, 200) - 2`
  const ofRefused = `power(2, least(20, ${tries}))`
  const ofAway = `greatest(least(5, power(1.125, ${tries})), power(1.125, ${tries} - 45))`
  return `least(300, case ${status} when 'refused' then ${ofRefused} else ${ofAway} end)
    * (1 + 0.25 * random())`
}

/** What fails while the account is paused was under way before, and is no news. */
export async function noteFailure(
  db: Queryable,
  accountId: number,
  { status, message }: { status: Exclude<AccountStatus, 'connected'>; message: string },
  now: Date,
): Promise<void> {
  await db.query(
    `update network_accounts as accounts
     set status = $2, status_message = $3, failures = counted.failures,
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

/** What `notePartlyRefused` notes; a refusal of the whole account counts as failures. */
export function isPartlyRefused(table = 'network_accounts'): string {
  return `(${table}.status = 'refused' and ${table}.failures = 0)`
}

/**
 * The network takes the account and allows it only a part of what it is for: the rest goes on, so
 * nothing is paused. It stays so until the whole account is proven to be right.
 */
export async function notePartlyRefused(
  db: Queryable,
  accountId: number,
  message: string,
): Promise<void> {
  await db.query(
    `update network_accounts
     set status = 'refused', status_message = $2, failures = 0, paused_until = null
     where id = $1`,
    [accountId, message],
  )
}

/**
 * The network has sent something: an account that does not answer is tried at once. True where one
 * is.
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

/** Whether the network does not take the account at all; not so of one that it allows a part. */
export async function isRefused(db: Queryable, accountId: number): Promise<boolean> {
  const refused = await db.query(
    `select id from network_accounts
     where id = $1 and status = 'refused' and not ${isPartlyRefused()}`,
    [accountId],
  )
  return refused.length > 0
}

/** Of a network that asks to slow down and does not say for how long. */
export const usualSlowDownMs = 5_000

/** The network takes no more calls for a while. The account is as it should be, and nobody hurries. */
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
