import type { Queryable } from '../../db/connect.ts'
import type { NetworkError } from '../../networks/network.ts'
import { hurryQueues } from '../downlinks/queue-queries.ts'
import { hurry } from '../provisioning/outbox-queries.ts'
import { noteConnected } from './account-queries.ts'
import { NetworkPausedError } from './circuit-breaker.ts'
import { noteFailure, pauseAgain } from './pause-queries.ts'

/** Notes that the network has done what it was asked. What was put off while it was away is due. */
export async function noteAnswered(db: Queryable, accountId: number, now: Date): Promise<void> {
  const account = await noteConnected(db, accountId)
  if (!account) return
  await hurry(db, account, now)
  await hurryQueues(db, account, now)
}

/** Notes what a call about the account as a whole, which failed, tells of it. */
export async function noteFailedCheck(
  db: Queryable,
  accountId: number,
  error: NetworkError,
  now: Date,
): Promise<void> {
  const status = error.kind === 'unreachable' ? 'unreachable' : 'refused'
  await noteFailure(db, accountId, { status, message: error.message }, now)
}

/**
 * Notes what a failed call about one device or gateway tells of its account: nothing where the
 * network said no to that one alone. Where the call was not made the account waits, as it did.
 */
export async function noteFailedCall(
  db: Queryable,
  accountId: number,
  error: NetworkError,
  now: Date,
): Promise<void> {
  if (error instanceof NetworkPausedError) return pauseAgain(db, accountId, now)
  const isOfAccount = error.kind === 'unauthorized' || error.kind === 'unreachable'
  if (isOfAccount) await noteFailedCheck(db, accountId, error, now)
}
