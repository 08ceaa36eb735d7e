import { hash, randomBytes } from 'node:crypto'
import type { Queryable } from '../../../db/connect.ts'
import type { Client, Session } from '../../../http/endpoint.ts'
import { isoTime, momentOf } from '../../../http/timestamps.ts'
import type { CoreServices } from '../../core-services.ts'
import { removeOldFailures } from './guesses.ts'
import {
  deleteDeadSessions,
  endSessionsBeyond,
  insertSession,
  type NewToken,
  replaceToken,
  type SignOnFactors,
} from './session-queries.ts'

/** Writes at the same time. A use beyond that is recorded with the next request. */
const most = 4

/**
 * Records when and from where sessions and API keys were last used. No request waits for it. `used`
 * tells them apart.
 */
export function createUseNotes({ log }: Pick<CoreServices, 'log'>) {
  const underWay = new Set<string>()
  return (used: string, note: () => Promise<void>): void => {
    if (underWay.has(used) || underWay.size >= most) return
    underWay.add(used)
    note()
      .catch((err) => log.warn({ err, used }, 'a use was not noted'))
      .finally(() => underWay.delete(used))
  }
}

/** Seconds for which a token is valid: `expires_in`. */
export const tokenLifetime = 30 * 24 * 3600
/** Seconds after its end in which a token can be exchanged. */
const refreshWindow = 14 * 24 * 3600

/** Sessions of a user at one time: also of programs that log in for each of their requests. */
const mostSessions = 1000

/** A token for examples in the API reference. */
export const exampleToken = 'example7Jx0aQm2kzRtVw9LhYc4Ns8Ed1Bf6Gp3Uo5T'

/** The hash that is stored instead of a token. A plain hash is enough for 256 random bits. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/**
 * Opens a session for the user. `signOnFactors`: of a sign-on, how many factors the provider has
 * checked. Returns the token, which is stored nowhere, or undefined when the password has changed
 * meanwhile.
 */
export async function openSession(
  db: Queryable,
  user: { id: number; password_hash: string },
  client: Client,
  now: Date,
  signOnFactors?: SignOnFactors,
): Promise<string | undefined> {
  const { token, row } = makeToken(now)
  if (!(await insertSession(db, user, row, client, signOnFactors))) return undefined
  await endSessionsBeyond(db, user.id, mostSessions, row.createdAt)
  return token
}

/**
 * Exchanges the session's token for a new one, with the seconds for which it is valid; undefined
 * when another request was faster.
 */
export async function renewSession(
  db: Queryable,
  session: Session,
  now: Date,
): Promise<{ token: string; lifetime: number } | undefined> {
  const { token, row } = makeToken(now)
  const expiresAt = await replaceToken(db, session.tokenHash, row)
  if (expiresAt === undefined) return undefined
  const milliseconds = Date.parse(isoTime(expiresAt)) - now.getTime()
  return { token, lifetime: Math.floor(milliseconds / 1000) }
}

/** Sessions that one statement deletes, to keep locks short. */
const removedAtOnce = 5000

/** Removes sessions that no token can bring back, and failed logins that no longer count. */
export async function removeOldSessions(db: Queryable, now: Date): Promise<void> {
  let removed = removedAtOnce
  while (removed === removedAtOnce) {
    removed = await deleteDeadSessions(db, momentOf(now), removedAtOnce)
  }
  await removeOldFailures(db, now)
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
