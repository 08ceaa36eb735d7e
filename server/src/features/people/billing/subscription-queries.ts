import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { remainingDevices } from '../../fleet/inventory/quota-queries.ts'
import type { TypeCount } from './bill.ts'
import type { Customer, KnownCustomer } from './customer.ts'
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

/** Counts the devices by type, on these networks or on all. */
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

/** Ends the subscription; false when there is none. */
export async function end(db: Queryable, organizationId: number, now: Date): Promise<boolean> {
  const rows = await db.query(
    `update subscriptions set ended_at = $2
     where organization_id = $1 and ended_at is null
     returning id`,
    [organizationId, now],
  )
  return rows.length > 0
}

/** Locks the organization: its registrations wait until the transaction ends. */
export async function lockOrganization(tx: Queryable, organizationId: number): Promise<void> {
  await tx.query('select id from organizations where id = $1 for no key update', [organizationId])
}

/** What an organization's payments depend on. */
interface StandingRow {
  is_demo_account: boolean
  trial_ends_at: Moment | null
  /** The rest of the quota. */
  remaining: number
  is_subscribed: boolean
}

export async function findStanding(
  db: Queryable,
  organizationId: number,
): Promise<StandingRow | undefined> {
  const rows = await db.query<StandingRow>(
    // Apart, because Citus takes no such look-up together with a table of the coordinator.
    `with subscribed as materialized (
       select id from subscriptions where organization_id = $1 and ended_at is null limit 1
     )
     select is_demo_account, trial_ends_at::timestamptz as trial_ends_at,
       greatest(${remainingDevices}, 0) as remaining,
       exists (select from subscribed) as is_subscribed
     from organizations where id = $1`,
    [organizationId],
  )
  return rows[0]
}

/** What organization and user tell about the customer. */
export async function findKnownCustomer(
  db: Queryable,
  organizationId: number,
  userId: number,
): Promise<Omit<KnownCustomer, 'ipAddress'>> {
  const [known] = await db.query<Omit<KnownCustomer, 'ipAddress'>>(
    `select organizations.id as "organizationId", organizations.name as company,
       coalesce(organizations.address_line_1, '') as "addressLine1",
       coalesce(organizations.address_line_2, '') as "addressLine2",
       users.first_name as "firstName", users.last_name as "lastName", users.email
     from organizations join users on users.id = $2
     where organizations.id = $1`,
    [organizationId, userId],
  )
  if (!known) throw new Error(`organization ${organizationId} or user ${userId} is gone`)
  return known
}

/** Keeps ended subscriptions for a year, and the last one of each organization. */
export async function removeOldSubscriptions(db: Queryable, now: Date): Promise<void> {
  await db.query(
    `delete from subscriptions
     where ended_at < $1::timestamptz - interval '366 days' and exists (
       select from subscriptions as later
       where later.organization_id = subscriptions.organization_id
         and later.id > subscriptions.id
     )`,
    [now],
  )
}
