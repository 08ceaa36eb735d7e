import { hash, randomBytes } from 'node:crypto'
import type { Queryable } from '../../db/connect.ts'
import type { Client, Session } from '../../http/endpoint.ts'
import { isoTime, momentOf } from '../../http/timestamps.ts'
import { deleteStaleFailures } from './login-limit-queries.ts'
import { staleBefore } from './login-limits.ts'
import {
  deleteDeadSessions,
  insertSession,
  type NewToken,
  replaceToken,
} from './session-queries.ts'

/** Seconds that a token is good for: `expires_in`. */
export const tokenLifetime = 30 * 24 * 3600
/** Seconds after that in which it can still be exchanged for a new one. */
const refreshWindow = 14 * 24 * 3600

/** What the API reference shows for a token. */
export const exampleToken = 'example7Jx0aQm2kzRtVw9LhYc4Ns8Ed1Bf6Gp3Uo5T'

/** What is stored in place of a token: of 256 random bits a plain hash gives nothing away. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/**
 * Logs the user in with that password; gives the token, which is kept nowhere, or undefined when
 * the password was changed meanwhile.
 */
export async function openSession(
  db: Queryable,
  user: { id: number; password_hash: string },
  client: Client,
  now: Date,
): Promise<string | undefined> {
  const { token, row } = makeToken(now)
  return (await insertSession(db, user, row, client)) ? token : undefined
}

/**
 * A new token in exchange for the session's old one, and the seconds that it is good for; undefined
 * when another call was faster.
 */
export async function renewSession(
  db: Queryable,
  session: Session,
  now: Date,
): Promise<{ token: string; lifetime: number } | undefined> {
  const { token, row } = makeToken(now)
  const expiresAt = await replaceToken(db, session, row)
  if (expiresAt === undefined) return undefined
  const milliseconds = Date.parse(isoTime(expiresAt)) - now.getTime()
  return { token, lifetime: Math.floor(milliseconds / 1000) }
}

/** Sessions deleted by one statement, so that none holds its locks for long. */
const removedAtOnce = 5000

/** Removes sessions that no token can bring back, and failed logins that no longer count. */
export async function removeOldSessions(db: Queryable, now: Date): Promise<void> {
  let removed = removedAtOnce
  while (removed === removedAtOnce) {
    removed = await deleteDeadSessions(db, momentOf(now), removedAtOnce)
  }
  await deleteStaleFailures(db, momentOf(staleBefore(now)))
}

function makeToken(now: Date): { token: string; row: NewToken } {
  const token = randomBytes(32).toString('base64url')
  const row = {
    tokenHash: hashToken(token),
    createdAt: momentOf(now),
    expiresAt: momentOf(addSeconds(now, tokenLifetime)),
    refreshableUntil: momentOf(addSeconds(now, tokenLifetime + refreshWindow)),
  }
  return { token, row }
}

function addSeconds(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000)
}
