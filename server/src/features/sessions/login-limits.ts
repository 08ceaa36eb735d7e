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
 * Slows down the guessing of passwords.
 *
 * Failures are counted per account and address, so that nobody can lock an owner out from somewhere
 * else. After `limit` failures a minute the pair waits: 1 minute at first, and twice as long each
 * time, up to 15 minutes. The number of failures since the last success catches guessing that stays
 * below that limit for hours (NIST SP 800-63B-4, 3.2.2, asks for a cap). A success clears all of
 * it. In addition, an address has a limit over all accounts, 20 times as high and without growth,
 * against trying one password on many accounts.
 *
 * Passwords have no limit per account over all addresses: it would be a way to lock owners out.
 * Authenticator codes have one, with waits of up to an hour: six digits could be guessed from many
 * addresses. Only a person who knows the password gets to guess them, and a recovery code still
 * lets the owner in.
 */
interface Rule {
  subject: string
  /** Failures allowed per minute. */
  limit: number
  /** The longest wait, in milliseconds. */
  longestWait: number
}

/** An attempt to log in or to prove a secret, by account and address. */
export interface LoginAttempt {
  /** For the log. */
  purpose: 'login' | 'password confirmation' | 'two-factor set-up' | 'password reset'
  /** The rules that a success clears. The first is for the account at the address. */
  own: readonly Rule[]
  address: Rule
  /** For the log. */
  clientIp: string
}

const windowMilliseconds = 60_000
const longestWaitMilliseconds = 15 * 60_000
const longestCodeWaitMilliseconds = 3600_000
/** Failures are forgotten after this time without another one. */
const memoryMilliseconds = 24 * 3600_000
/**
 * From this multiple of the limit on, counted since the last success, each failure means a wait.
 */
const patienceFactor = 4
const addressFactor = 20

/** A login; `limit` failures a minute are allowed. */
export function loginAttempt(email: string, clientIp: string, limit: number): LoginAttempt {
  const account = subjectOf('account', normalEmail(email), clientNetwork(clientIp))
  return attemptAt('login', account, clientIp, limit)
}

/**
 * A signed-in user's attempt to prove a secret. It is counted apart from logins, so a mistake in
 * the settings does not delay the next login.
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
 * A request for a mail. Every request counts. The limit per e-mail holds over all addresses,
 * because it protects a mailbox; it does not affect logins.
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

/** The same attempt with an authenticator code of that user. */
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

/** The time until which the attempt has to wait; undefined when it may go on. */
export function findWait(
  db: Queryable,
  attempt: LoginAttempt,
  now: Date,
): Promise<Moment | undefined> {
  const subjects = [...attempt.own, attempt.address].map(({ subject }) => subject)
  return findBlock(db, subjects, momentOf(now))
}

/**
 * Counts a failure. When the attempt has to wait by now, returns until when, and the caller must
 * not tell whether the guess was right. So at most `limit` simultaneous guesses are answered, over
 * all server processes.
 */
export function countFailure(
  db: Database,
  attempt: LoginAttempt,
  now: Date,
): Promise<Moment | undefined> {
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

/**
 * Clears the failures after a success. When the attempt has to wait by now, returns until when, and
 * the caller must not tell the success. Failures of the address stay: otherwise one's own account
 * would be a way around the limit of the address.
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

/** The 429 for an attempt that has to wait until `until`. */
export function loginRefused(until: Moment, now: Date, limit: number): HttpError {
  const seconds = Math.max(1, Math.ceil((toTime(until) - now.getTime()) / 1000))
  return tooManyRequests(seconds, {
    ratelimit: `"login";r=0;t=${seconds}`,
    'ratelimit-policy': `"login";q=${limit};w=${windowMilliseconds / 1000}`,
  })
}

/** Failures before this time no longer count. */
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

/** 1 minute after the first `limit` failures, doubled for each further `limit`. */
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
