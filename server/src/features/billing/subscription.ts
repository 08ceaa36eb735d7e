import type { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import * as subscriptionQueries from './subscription-queries.ts'
import { type subscriptionSummary, toSubscriptionRecord, toSummary } from './subscription-record.ts'

/**
 * What the organization pays for. Devices are counted when the bill is read, so each one counts
 * exactly once.
 */
export async function readSubscription(
  db: Queryable,
  organizationId: number,
  now: Date,
): Promise<z.infer<typeof subscriptionSummary>> {
  const stored = await subscriptionQueries.find(db, organizationId)
  if (!stored) return toSummary(undefined)
  const counts = await subscriptionQueries.countDevices(db, organizationId, stored.plan.networks)
  return toSummary(toSubscriptionRecord(stored, counts, now.toISOString().slice(0, 10)))
}
