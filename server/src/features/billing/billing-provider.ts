import type { Database, Queryable } from '../../db/connect.ts'
import type { CoreServices } from '../core-services.ts'
import type { Customer } from './customer.ts'
import { covers, type Plan } from './plans.ts'
import * as subscriptionQueries from './subscription-queries.ts'
import { type SubscriptionRecord, toSubscriptionRecord } from './subscription-record.ts'

/**
 * Who keeps the subscriptions. Devices are never reported to it: what is billed for them is what
 * the devices table holds when the bill is read, so that none is counted twice or forgotten.
 */
export interface BillingProvider {
  /** What must be paid before a device is registered on a network; undefined: it is free. */
  offerFor(network: string): Plan | undefined
  findPlan(code: string): Plan | undefined
  isSubscribed(db: Queryable, organizationId: number): Promise<boolean>
  read(db: Queryable, organizationId: number, now: Date): Promise<SubscriptionRecord | undefined>
  /** Sets billing up; false when the organization is subscribed already. */
  begin(db: Database, organizationId: number, order: Order): Promise<boolean>
  /** Ends billing; false when the organization is not subscribed. */
  end(db: Database, organizationId: number, now: Date): Promise<boolean>
}

/** For endpoints that cost something. */
export interface BillingServices extends CoreServices {
  billing: BillingProvider
}

interface Order {
  plan: Plan
  customer: Customer
  userId: number
  /** `YYYY-MM-DD`; nothing is due before it. */
  firstBillingOn: string
  now: Date
}

/** Keeps subscriptions in the database and charges nobody: the operator sends the bill. */
export function createBuiltInBilling(plans: readonly Plan[]): BillingProvider {
  return {
    offerFor: (network) => plans.find((plan) => covers(plan, network)),
    findPlan: (code) => plans.find((plan) => plan.plan_code === code),
    isSubscribed: async (db, organizationId) =>
      (await subscriptionQueries.find(db, organizationId)) !== undefined,
    async read(db, organizationId, now) {
      const stored = await subscriptionQueries.find(db, organizationId)
      if (!stored) return undefined
      const { networks } = stored.plan
      const counts = await subscriptionQueries.countDevices(db, organizationId, networks)
      return toSubscriptionRecord(stored, counts, now.toISOString().slice(0, 10))
    },
    begin: (db, organizationId, { now, ...order }) =>
      subscriptionQueries.insert(db, organizationId, { ...order, startedAt: now }),
    end: (db, organizationId, now) =>
      db.transaction(async (tx) => {
        // Registrations lock it too: one that needs the subscription is before its end or after.
        await tx.query('select id from organizations where id = $1 for no key update', [
          organizationId,
        ])
        return subscriptionQueries.end(tx, organizationId, now)
      }),
  }
}
