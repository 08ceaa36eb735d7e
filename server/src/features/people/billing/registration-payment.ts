import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { withExamples } from '../../../http/examples.ts'
import { longTime, type Moment, momentOf } from '../../../http/timestamps.ts'
import { addonOf } from './bill.ts'
import { type BillingServices, findPlanFor, type Plan } from './plans.ts'
import { findStanding } from './subscription-queries.ts'

const planOffer = z
  .object({
    plan_code: z.string(),
    name: z.string(),
    description: z.string(),
    price: z.number(),
    setup_fee: z.number(),
    unit: z.string(),
    interval: z.int(),
    interval_unit: z.string(),
    tax_name: z.string(),
    tax_percentage: z.number(),
    /** What the device adds: `price` for each `interval_unit`. */
    addon: z.object({ addon_code: z.string(), name: z.string(), price: z.number() }),
  })
  .meta({ id: 'PlanOffer' })

/** The cost of a registration (docs/contract.txt, 4.4). */
export const paymentRecord = z
  .object(
    withExamples(
      {
        demoDevice: z.boolean(),
        isDemoAccount: z.union([z.literal(0), z.literal(1)]),
        /** The plan, as long as billing must be set up first with POST /subscription. */
        plan: z.union([planOffer, z.literal(false)]),
        subscribed: z.boolean(),
        isOnTrial: z.union([z.string(), z.literal(false)]),
      },
      {
        demoDevice: false,
        isDemoAccount: 0,
        plan: false,
        subscribed: false,
        isOnTrial: 'Mar 31, 2026 00:00:00 (UTC)',
      },
    ),
  )
  .meta({ id: 'Payment' })

/** The device to register; `network` is a network key. */
interface Candidate {
  network: string
  typeId: number
}

export async function readPayment(
  { db, billingPlans: plans }: Pick<BillingServices, 'db' | 'billingPlans'>,
  organizationId: number,
  { network, typeId }: Candidate,
  now: Date,
): Promise<z.infer<typeof paymentRecord>> {
  const standing = await readStanding(db, organizationId, now)
  const offer = isPaymentDue(plans, network, standing) ? findPlanFor(plans, network) : undefined
  return {
    demoDevice: standing.isDemo,
    isDemoAccount: standing.isDemo ? 1 : 0,
    plan: offer ? toOffer(offer, typeId) : false,
    subscribed: standing.isSubscribed,
    isOnTrial: trialWords(standing),
  }
}

function toOffer(plan: Plan, typeId: number): z.infer<typeof planOffer> {
  const { code, name, price } = addonOf(plan, typeId)
  return {
    plan_code: plan.plan_code,
    name: plan.name,
    description: plan.description,
    price: plan.price,
    setup_fee: plan.setup_fee,
    unit: plan.unit,
    interval: plan.interval,
    interval_unit: plan.interval_unit,
    tax_name: plan.tax_name,
    tax_percentage: plan.tax_percentage,
    addon: { addon_code: code, name, price },
  }
}

/** The networks, by key, on which no device can be registered before billing is set up. */
export async function findUnpaid(
  db: Queryable,
  plans: readonly Plan[],
  organizationId: number,
  networks: Iterable<string>,
  now: Date,
): Promise<Set<string>> {
  const charged = [...new Set(networks)].filter((network) => findPlanFor(plans, network))
  if (charged.length === 0) return new Set()
  const standing = await readStanding(db, organizationId, now)
  return new Set(charged.filter((network) => isPaymentDue(plans, network, standing)))
}

export const paymentMissing =
  'Billing must be set up before a device can be registered on this network.'

/** What decides whether an organization must pay before it registers devices. */
interface PaymentStanding {
  isDemo: boolean
  /** Undefined when no trial is running. */
  trialEnd: Moment | undefined
  isSubscribed: boolean
  /** The rest of the quota. */
  remainingDevices: number
}

export async function readStanding(
  db: Queryable,
  organizationId: number,
  now: Date,
): Promise<PaymentStanding> {
  const row = await findStanding(db, organizationId)
  const trialEnd = row?.trial_ends_at ?? undefined
  return {
    isDemo: row?.is_demo_account ?? false,
    trialEnd: trialEnd !== undefined && trialEnd > momentOf(now) ? trialEnd : undefined,
    isSubscribed: row?.is_subscribed ?? false,
    remainingDevices: row?.remaining ?? 0,
  }
}

/** `isOnTrial` of the contract. */
function trialWords({ trialEnd }: PaymentStanding): string | false {
  return trialEnd === undefined ? false : longTime(trialEnd)
}

/** Whether billing must be set up before a device is registered on the network. */
function isPaymentDue(plans: readonly Plan[], network: string, standing: PaymentStanding): boolean {
  if (standing.isDemo || standing.isSubscribed || standing.trialEnd !== undefined) return false
  return findPlanFor(plans, network) !== undefined
}

/** `payment` of a registration form (docs/contract.txt, 4.10). */
export const formPayment = z
  .object(
    withExamples(
      {
        eligible: z.boolean(),
        subscriptions: z.boolean(),
        isOnTrial: z.union([z.string(), z.literal(false)]),
        isDemoAccount: z.boolean(),
        remainingDevices: z.int(),
      },
      {
        eligible: false,
        subscriptions: false,
        isOnTrial: false,
        isDemoAccount: false,
        remainingDevices: 988,
      },
    ),
  )
  .meta({ id: 'FormPayment' })

/** `network` is a network key. */
export async function readFormPayment(
  { db, billingPlans: plans }: Pick<BillingServices, 'db' | 'billingPlans'>,
  organizationId: number,
  network: string,
  now: Date,
): Promise<z.infer<typeof formPayment>> {
  const standing = await readStanding(db, organizationId, now)
  return {
    eligible: findPlanFor(plans, network) !== undefined,
    subscriptions: standing.isSubscribed,
    isOnTrial: trialWords(standing),
    isDemoAccount: standing.isDemo,
    remainingDevices: standing.remainingDevices,
  }
}
