import type { Queryable } from '../../db/connect.ts'
import type { NetworkError } from '../../networks/network.ts'
import { noteStatus } from './account-queries.ts'
import { NetworkPausedError } from './circuit-breaker.ts'

/**
 * Notes what a failed call tells of its account: nothing where the call was not made, or where the
 * network said no to one device or gateway alone.
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
