import type { Database } from '../../db/connect.ts'
import { isoTime } from '../../http/timestamps.ts'
import { closeInBatches } from './close-in-batches.ts'
import type { StoredDownlink } from './downlink-queries.ts'
import { closeExpiredOf, findExpired } from './queue-switch-queries.ts'

/**
 * A downlink may have a time until which it is handed over to the network. After that it is never
 * sent: the hand-over closes it instead, and what no hand-over reaches is closed in the background
 * (docs/decisions/0043-raw-downlinks.md).
 */

export const expiryReason = 'It was not handed over to the network in time.'

/** For a network that does not list its queue. */
export const uncertainExpiryReason =
  'It expired after a call to hand it over that had no certain outcome: the network may have it.'

export function isExpired({ expires_at }: Pick<StoredDownlink, 'expires_at'>, now: Date): boolean {
  return expires_at !== null && Date.parse(isoTime(expires_at)) <= now.getTime()
}

/**
 * Closes the queued downlinks whose time has passed, also those of devices whose network cannot be
 * called. One that a call to the network may have handed over is left to its next hand-over, which
 * asks the network.
 */
export async function closeExpired(db: Database, now: Date): Promise<void> {
  await closeInBatches(db, {
    find: (limit) => findExpired(db, now, limit),
    close: (tx, organizationId, deviceIds) =>
      closeExpiredOf(tx, organizationId, { deviceIds, now, reason: expiryReason }),
  })
}
