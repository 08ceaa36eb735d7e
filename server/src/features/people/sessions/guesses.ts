import type { Database, Queryable } from '../../../db/connect.ts'
import { type HttpError, tooManyRequests } from '../../../http/errors.ts'
import { isoTime, type Moment, momentOf } from '../../../http/timestamps.ts'
import type { CoreServices } from '../../core-services.ts'
import {
  clearFailures,
  deleteStaleFailures,
  type FailureRow,
  findBlock,
  lockFailures,
  saveFailures,
} from './login-limit-queries.ts'
import { type LoginAttempt, type Rule, windowMilliseconds } from './login-limits.ts'

type Needed = Pick<CoreServices, 'db' | 'now' | 'log'>

/** Failures are forgotten after this time without another one. */
const memoryMilliseconds = 24 * 3600_000
/**
 * From this multiple of the limit on, counted since the last success, each failure means a wait.
 */
const patienceFactor = 4

/**
 * Called before anything is spent on a guess.
 *
 * @throws HttpError 429 while the attempt has to wait.
 */
export async function refuseWhileWaiting(
  { db, now }: Pick<Needed, 'db' | 'now'>,
  attempt: LoginAttempt,
): Promise<void> {
  const time = now()
  const until = await findWait(db, attempt, time)
  if (until !== undefined) throw mustWait(attempt, until, time)
}

/**
 * Counts a wrong guess, outside any transaction that might be rolled back. Returns the error to
 * throw: `answer`, or the 429 when the attempt has to wait by now.
 */
export async function countWrongGuess(
  { db, now, log }: Needed,
  attempt: LoginAttempt,
  userId: number | undefined,
  answer: HttpError,
): Promise<HttpError> {
  const time = now()
  const until = await countFailure(db, attempt, time)
  const { purpose, clientIp } = attempt
  // The security log records it like every refusal, within its bounds.
  log.debug({ userId, clientIp }, `${purpose} ${until === undefined ? 'failed' : 'refused'}`)
  return until === undefined ? answer : mustWait(attempt, until, time)
}

/**
 * Counts a request that needs no proof.
 *
 * @throws HttpError 429 when the attempt has to wait.
 */
export async function countRequest(
  { db, now }: Pick<Needed, 'db' | 'now'>,
  attempt: LoginAttempt,
): Promise<void> {
  const time = now()
  const until = await countFailure(db, attempt, time)
  if (until !== undefined) throw mustWait(attempt, until, time)
}

/**
 * Counts a right guess: clears the failures. Those of the address stay, because otherwise one's own
 * account would be a way around the limit of the address. Within a transaction, a refusal also rolls
 * back what the guess has used.
 *
 * @throws HttpError 429 when the attempt has to wait by now: nobody may learn that the guess was
 * right.
 */
export async function countRightGuess(
  tx: Queryable,
  { now }: Pick<Needed, 'now'>,
  attempt: LoginAttempt,
): Promise<void> {
  const time = now()
  const until = await findWait(tx, attempt, time)
  if (until !== undefined) throw mustWait(attempt, until, time)
  for (const { subject } of attempt.own) await clearFailures(tx, subject, momentOf(time))
}

/** Removes failures that no longer count. */
export async function removeOldFailures(db: Queryable, now: Date): Promise<void> {
  await deleteStaleFailures(db, momentOf(new Date(now.getTime() - memoryMilliseconds)))
}

/** The time until which the attempt has to wait; undefined when it may go on. */
function findWait(db: Queryable, attempt: LoginAttempt, now: Date): Promise<Moment | undefined> {
  const subjects = [...attempt.own, attempt.address].map(({ subject }) => subject)
  return findBlock(db, subjects, momentOf(now))
}

/**
 * Counts a failure. When the attempt has to wait by now, returns until when, and the caller must
 * not tell whether the guess was right. So at most `limit` simultaneous guesses are answered, over
 * all server processes.
 */
function countFailure(db: Database, attempt: LoginAttempt, now: Date): Promise<Moment | undefined> {
  return db.transaction(async (tx) => {
    // Always in this order, to prevent deadlocks.
    const counted: [Rule, FailureRow][] = []
    for (const rule of [...attempt.own, attempt.address]) {
      const row = await lockFailures(tx, rule.subject, momentOf(now))
      if (!row) continue
      if (toTime(row.blocked_until) > now.getTime()) return row.blocked_until
      counted.push([rule, afterFailure(row, rule, now)])
    }
    for (const [rule, row] of counted) await saveFailures(tx, rule.subject, row)
    return undefined
  })
}

function mustWait({ limit }: LoginAttempt, until: Moment, now: Date): HttpError {
  const seconds = Math.max(1, Math.ceil((toTime(until) - now.getTime()) / 1000))
  return tooManyRequests(seconds, {
    ratelimit: `"login";r=0;t=${seconds}`,
    'ratelimit-policy': `"login";q=${limit};w=${windowMilliseconds / 1000}`,
  })
}

function afterFailure(row: FailureRow, rule: Rule, now: Date): FailureRow {
  const age = now.getTime() - toTime(row.window_started_at)
  const isSameWindow = age < windowMilliseconds
  const failures = isSameWindow ? row.failures + 1 : 1
  const consecutive = age < memoryMilliseconds ? row.consecutive_failures + 1 : 1
  const mustWait =
    failures >= rule.limit || (grows(rule) && consecutive >= patienceFactor * rule.limit)
  const wait = mustWait ? waitAfter(consecutive, rule) : 0
  return {
    failures,
    consecutive_failures: consecutive,
    window_started_at: isSameWindow ? row.window_started_at : momentOf(now),
    blocked_until: momentOf(new Date(now.getTime() + wait)),
  }
}

/** 1 minute after the first `limit` failures, doubled for each further `limit`. */
function waitAfter(consecutive: number, rule: Rule): number {
  if (!grows(rule)) return windowMilliseconds
  const doublings = Math.max(0, Math.floor(consecutive / rule.limit) - 1)
  return Math.min(windowMilliseconds * 2 ** doublings, rule.longestWait)
}

function grows(rule: Rule): boolean {
  return rule.longestWait > windowMilliseconds
}

function toTime(moment: Moment): number {
  return Date.parse(isoTime(moment))
}
