import type { Database } from '../../db/connect.ts'
import * as outbox from '../provisioning/outbox-queries.ts'
import { markDeleted } from './gateway-change-queries.ts'
import type { GatewayReference } from './gateway-reference.ts'

/** Deletes a gateway here and lets its network know, all or nothing; false when there is none. */
export function removeGateway(
  db: Database,
  organizationId: number,
  reference: GatewayReference,
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const gone = await markDeleted(tx, organizationId, reference, now)
    if (!gone) return false
    if (gone.network === 'other') return true
    const wasOffered = await outbox.withdraw(tx, organizationId, gone, now)
    if (wasOffered) await outbox.enqueue(tx, organizationId, gone, 'remove', now)
    return true
  })
}
