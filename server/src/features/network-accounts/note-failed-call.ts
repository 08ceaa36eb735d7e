import type { Queryable } from '../../db/connect.ts'
import type { NetworkError } from '../../networks/network.ts'
import { noteStatus } from './account-queries.ts'
import { NetworkPausedError } from './circuit-breaker.ts'

/** Notes what a call about the account as a whole, which failed, tells of it. */
export async function noteFailedCheck(
  db: Queryable,
  accountId: number,
  error: NetworkError,
): Promise<void> {
  const status = error.kind === 'unreachable' ? 'unreachable' : 'refused'
  await noteStatus(db, accountId, status, error.message)
}

/**
 * Notes what a failed call about one device or gateway tells of its account: nothing where the call was not
 * made, or where the network said no to that one alone.
 */
export async function noteFailedCall(
  db: Queryable,
  accountId: number,
  error: NetworkError,
): Promise<void> {
  if (error instanceof NetworkPausedError) return
  if (error.kind === 'unauthorized') await noteStatus(db, accountId, 'refused', error.message)
  if (error.kind === 'unreachable') await noteStatus(db, accountId, 'unreachable', error.message)
}
