import type { Queryable } from '../../db/connect.ts'
import type { TypeCount } from './bill.ts'
import type { Customer } from './customer.ts'
import type { Plan } from './plans.ts'
import type { StoredSubscription } from './subscription-record.ts'

export async function find(
  db: Queryable,
  organizationId: number,
): Promise<StoredSubscription | undefined> {
  const rows = await db.query<StoredSubscription>(
    `select plan, customer, first_billing_on from subscriptions
     where organization_id = $1 and ended_at is null`,
    [organizationId],
  )
  return rows[0]
}

/** How many devices there are of each type, on these networks or on all. */
export function countDevices(
  db: Queryable,
  organizationId: number,
  networks: readonly string[] | undefined,
): Promise<TypeCount[]> {
  return db.query<TypeCount>(
    `select type_id, count(*) as count from devices
     where organization_id = $1 and deleted_at is null
       and ($2::text[] is null or network = any($2))
     group by type_id order by type_id`,
    [organizationId, networks ?? null],
  )
}

interface NewSubscription {
  plan: Plan
  customer: Customer
  /** `YYYY-MM-DD`. */
  firstBillingOn: string
  userId: number
  startedAt: Date
}

/** False when the organization has a subscription already. */
export async function insert(
  db: Queryable,
  organizationId: number,
  subscription: NewSubscription,
): Promise<boolean> {
  const rows = await db.query(
    `insert into subscriptions
       (organization_id, plan, customer, first_billing_on, user_id, started_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (organization_id) where ended_at is null do nothing
     returning id`,
    [
      organizationId,
      JSON.stringify(subscription.plan),
      JSON.stringify(subscription.customer),
      subscription.firstBillingOn,
      subscription.userId,
      subscription.startedAt,
    ],
  )
  return rows.length > 0
}

/** False when there is none. */
export async function end(db: Queryable, organizationId: number, now: Date): Promise<boolean> {
  const rows = await db.query(
    `update subscriptions set ended_at = $2
     where organization_id = $1 and ended_at is null
     returning id`,
    [organizationId, now],
  )
  return rows.length > 0
}
