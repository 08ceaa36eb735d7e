import { createHash } from 'node:crypto'
import type { Database, Queryable } from '../../db/connect.ts'
import { clientNetwork } from '../../http/client-address.ts'
import { type HttpError, tooManyRequests } from '../../http/errors.ts'
import { isoTime, type Moment, momentOf } from '../../http/timestamps.ts'
import { normalEmail } from '../users/emails.ts'
import {
  clearFailures,
  type FailureRow,
  findBlock,
  lockFailures,
  saveFailures,
} from './login-limit-queries.ts'

/**
 * How guessing passwords is slowed down.
 *
 * Failures are counted per account and address, so that nobody can lock an owner out from
 * somewhere else. So many a minute are answered, then the pair waits: 1 minute, and twice as long
 * each further time, up to 15 minutes. Guessing that stays below that for hours is caught by the
 * count of failures since the last success (NIST SP 800-63B-4, 3.2.2, asks for a cap on these). A
 * success forgets all of it. Beside that an address has a limit over all accounts, 20 times as high
 * and without growth, against trying one password on many accounts.
 *
 * There is no limit per account over all addresses on passwords: it would be a way to lock owners
 * out. On authenticator codes there is one, up to an hour: six digits would fall to many addresses,
 * only who knows the password gets to guess them, and a recovery code still lets the owner in.
 */
interface Rule {
  subject: string
  /** Failures a minute. */
  limit: number
  /** Milliseconds up to which the wait grows from one time to the next. */
  longestWait: number
}

/** One try to log in, or to prove a secret later on, by account and address. */
export interface LoginAttempt {
  /** For the log. */
  purpose: 'login' | 'password confirmation' | 'two-factor set-up' | 'password reset'
  /** What a success forgets; the first is the account at the address. */
  own: readonly Rule[]
  address: Rule
  /** For the log. */
  clientIp: string
}

const windowMilliseconds = 60_000
const longestWaitMilliseconds = 15 * 60_000
const longestCodeWaitMilliseconds = 3600_000
/** Without a failure for so long, earlier ones count no more. */
const memoryMilliseconds = 24 * 3600_000
/** From so many times the limit on, counted since the last success, each failure means a wait. */
const patienceFactor = 4
const addressFactor = 20

/** `limit` failures a minute are let through; `clientIp` is where the request comes from. */
export function loginAttempt(email: string, clientIp: string, limit: number): LoginAttempt {
  const account = subjectOf('account', normalEmail(email), clientNetwork(clientIp))
  return attemptAt('login', account, clientIp, limit)
}

/**
 * A signed-in user's try to prove a secret. Counted apart from logins, so that a mistake in the
 * settings costs nobody the next login.
 */
export function provingAttempt(
  purpose: Exclude<LoginAttempt['purpose'], 'login'>,
  userId: number,
  clientIp: string,
  limit: number,
): LoginAttempt {
  const account = subjectOf(purpose, String(userId), clientNetwork(clientIp))
  return attemptAt(purpose, account, clientIp, limit)
}

/**
 * A request for a mail: every one counts, whatever becomes of it. The limit of the e-mail holds over
 * all addresses, as what it guards is somebody's mailbox; login is not touched by it.
 */
export function resetAttempt(email: string, clientIp: string, limit: number): LoginAttempt {
  return {
    purpose: 'password reset',
    own: [
      {
        subject: subjectOf('password reset', normalEmail(email)),
        limit: Math.min(limit, 3),
        longestWait: longestCodeWaitMilliseconds,
      },
    ],
    address: {
      subject: subjectOf('password reset address', clientNetwork(clientIp)),
      limit: limit * addressFactor,
      longestWait: windowMilliseconds,
    },
    clientIp,
  }
}

/** The attempt when it comes to an authenticator code of that user. */
export function codeAttempt(attempt: LoginAttempt, userId: number, limit: number): LoginAttempt {
  const subject = subjectOf('codes', String(userId))
  const codes = { subject, limit, longestWait: longestCodeWaitMilliseconds }
  return { ...attempt, own: [...attempt.own, codes] }
}

function attemptAt(
  purpose: LoginAttempt['purpose'],
  account: string,
  clientIp: string,
  limit: number,
): LoginAttempt {
  const address = subjectOf('address', clientNetwork(clientIp))
  return {
    purpose,
    own: [{ subject: account, limit, longestWait: longestWaitMilliseconds }],
    address: {
      subject: address,
      limit: limit * addressFactor,
      longestWait: windowMilliseconds,
    },
    clientIp,
  }
}

/** Until when the attempt has to wait; undefined when it may go on. */
export function findWait(
  db: Queryable,
  attempt: LoginAttempt,
  now: Date,
): Promise<Moment | undefined> {
  const subjects = [...attempt.own, attempt.address].map(({ subject }) => subject)
  return findBlock(db, subjects, momentOf(now))
}

/**
 * Counts a failure, unless the attempt has to wait by now: then until when, and the caller must not
 * tell whether the guess was right. So of any number of guesses at one time, at whatever server
 * process, no more than the limit are answered.
 */
export function countFailure(
  db: Database,
  attempt: LoginAttempt,
  now: Date,
): Promise<Moment | undefined> {
  return db.transaction(async (tx) => {
    // Always in this order, so that two transactions never wait for each other.
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

/**
 * Forgets the failures after a success, unless the attempt has to wait by now: then until when, and
 * the success must not be told. Those of the address stay, or a single account of one's own would
 * be a way round its limit.
 */
export async function countSuccess(
  db: Queryable,
  attempt: LoginAttempt,
  now: Date,
): Promise<Moment | undefined> {
  const wait = await findWait(db, attempt, now)
  if (wait !== undefined) return wait
  for (const { subject } of attempt.own) await clearFailures(db, subject, momentOf(now))
  return undefined
}

/** The 429 for an attempt that has to wait until then. */
export function loginRefused(until: Moment, now: Date, limit: number): HttpError {
  const seconds = Math.max(1, Math.ceil((toTime(until) - now.getTime()) / 1000))
  return tooManyRequests(seconds, {
    ratelimit: `"login";r=0;t=${seconds}`,
    'ratelimit-policy': `"login";q=${limit};w=${windowMilliseconds / 1000}`,
  })
}

/** Rows of failures from before that time mean nothing any more. */
export function staleBefore(now: Date): Date {
  return new Date(now.getTime() - memoryMilliseconds)
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

/** 1 minute for the first `limit` failures, twice as long for each further `limit` of them. */
function waitAfter(consecutive: number, rule: Rule): number {
  if (!grows(rule)) return windowMilliseconds
  const doublings = Math.max(0, Math.floor(consecutive / rule.limit) - 1)
  return Math.min(windowMilliseconds * 2 ** doublings, rule.longestWait)
}

function grows(rule: Rule): boolean {
  return rule.longestWait > windowMilliseconds
}

function subjectOf(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url')
}

function toTime(moment: Moment): number {
  return Date.parse(isoTime(moment))
}
