import type { Queryable } from '../../db/connect.ts'
import type { NetworkConnection } from '../../networks/network.ts'
import { NetworkError } from '../../networks/network-error.ts'
import { noteConnected } from './account-queries.ts'
import { NetworkPausedError } from './circuit-breaker.ts'
import { makeWorkDue } from './lane-queries.ts'
import { isRefused, noteFailure, notePartlyRefused, noteSlowDown } from './pause-queries.ts'

/**
 * Notes that the network has done what it was asked. What was put off while it was away is due.
 * `isProven`: the whole account was checked; anything else leaves rights unproven that were missing.
 */
export async function noteAnswered(
  db: Queryable,
  accountId: number,
  now: Date,
  { isProven = false } = {},
): Promise<void> {
  if (await noteConnected(db, accountId, isProven)) await makeWorkDue(db, accountId, now)
}

/**
 * Notes that the network has taken a call of an account that something was wrong with. One that was
 * refused is checked as a whole: the call may not need what is wrong.
 */
export async function noteSuccess(
  { db, now }: { db: Queryable; now(): Date },
  accountId: number,
  connection: Pick<NetworkConnection, 'check'>,
): Promise<void> {
  if (!(await isRefused(db, accountId))) return noteAnswered(db, accountId, now())
  try {
    await connection.check()
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    return noteFailedCheck(db, accountId, error, now())
  }
  await noteAnswered(db, accountId, now(), { isProven: true })
}

/** Notes what a failed call about the account as a whole tells of it. */
export async function noteFailedCheck(
  db: Queryable,
  accountId: number,
  error: NetworkError,
  now: Date,
): Promise<void> {
  const { kind, message, about } = error
  const isOfAll = about === undefined || about === 'account'
  if (!isOfAll) return notePartlyRefused(db, accountId, message)
  if (kind === 'slow_down') return noteSlowDown(db, accountId, error, now)
  const status = kind === 'unreachable' ? 'unreachable' : 'refused'
  await noteFailure(db, accountId, { status, message }, now)
}

/**
 * Notes what a failed call tells of its account. Where it is about one thing alone the account was
 * let in and answered. A call that was not made tells nothing.
 */
export async function noteFailedCall(
  db: Queryable,
  accountId: number,
  error: NetworkError,
  now: Date,
): Promise<void> {
  if (error instanceof NetworkPausedError) return
  if (error.about === 'account') await noteFailedCheck(db, accountId, error, now)
  else if (error.about) await noteAnswered(db, accountId, now)
}
