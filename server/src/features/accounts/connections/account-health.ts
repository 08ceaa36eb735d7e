import type { Queryable } from '../../../db/connect.ts'
import type { NetworkConnection } from '../../../networks/network.ts'
import { NetworkError } from '../../../networks/network-error.ts'
import { noteConnected } from './account-queries.ts'
import { NetworkPausedError } from './circuit-breaker.ts'
import { makeWorkDue } from './lane-queries.ts'
import { isRefused, noteFailure, notePartlyRefused, noteSlowDown } from './pause-queries.ts'

/**
 * Records that the network has carried out a request. Work that was postponed while it was away
 * becomes due. `isProven` means that the whole account was checked. Otherwise missing rights stay
 * unproven.
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
 * Records that a call succeeded for an account that had an error. If the account was refused,
 * `check()` tests the whole account, because this call may not need the missing right.
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

/** Records a failed call that concerns the account as a whole. */
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
 * Records a failed call of an account. If the error concerns only one device, gateway or downlink,
 * the account itself works. A call that was not made gives no information.
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
