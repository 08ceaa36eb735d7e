import { createHash } from 'node:crypto'
import { clientNetwork } from '../../../http/client-address.ts'
import { normalEmail } from '../users/emails.ts'

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
export interface Rule {
  subject: string
  /** Failures allowed per minute. */
  limit: number
  /** The longest wait, in milliseconds. */
  longestWait: number
}

/** An attempt to log in or to prove a secret, by account and address. */
export interface LoginAttempt {
  /** For the log. */
  purpose:
    | 'login'
    | 'password confirmation'
    | 'two-factor set-up'
    | 'password reset'
    | 'link'
    | 'sign-on'
    | 'passkey'
  /** The rules that a success clears. The first is for the account at the address. */
  own: readonly Rule[]
  address: Rule
  /** Failures allowed per minute, as answers tell it. */
  limit: number
  /** For the log. */
  clientIp: string
}

/** The window in which failures are counted. */
export const windowMilliseconds = 60_000
const longestWaitMilliseconds = 15 * 60_000
const longestCodeWaitMilliseconds = 3600_000
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
  purpose: 'password confirmation' | 'two-factor set-up' | 'password reset',
  userId: number,
  clientIp: string,
  limit: number,
): LoginAttempt {
  const account = subjectOf(purpose, String(userId), clientNetwork(clientIp))
  return attemptAt(purpose, account, clientIp, limit)
}

/** A try of the password of a shared dashboard. */
export function linkAttempt(linkId: number, clientIp: string, limit: number): LoginAttempt {
  const link = subjectOf('link', String(linkId), clientNetwork(clientIp))
  return attemptAt('link', link, clientIp, limit)
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
    limit,
    clientIp,
  }
}

/**
 * A step of a sign-on, or of a login with a passkey. Every request counts: each may call the provider,
 * or stores something.
 */
export function stepAttempt(
  purpose: 'sign-on' | 'passkey',
  clientIp: string,
  limit: number,
): LoginAttempt {
  return {
    purpose,
    own: [],
    address: {
      subject: subjectOf(`${purpose} address`, clientNetwork(clientIp)),
      limit: limit * addressFactor,
      longestWait: windowMilliseconds,
    },
    limit: limit * addressFactor,
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
    limit,
    clientIp,
  }
}

function subjectOf(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url')
}
