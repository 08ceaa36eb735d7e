import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import { withExamples } from '../../http/examples.ts'
import { addonOf } from './bill.ts'
import type { BillingProvider } from './billing-provider.ts'
import { isPaymentDue, readStanding, trialWords } from './payment-standing.ts'
import type { Plan } from './plans.ts'

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
    /** What the device itself adds: `price` for each `interval_unit`. */
    addon: z.object({ addon_code: z.string(), name: z.string(), price: z.number() }),
  })
  .meta({ id: 'PlanOffer' })

/** What a registration would cost (service.md, "POST /devices", step 1). */
export const paymentRecord = z
  .object(
    withExamples(
      {
        demoDevice: z.boolean(),
        isDemoAccount: z.union([z.literal(0), z.literal(1)]),
        /** Payment details while billing must be set up first, with POST /subscription. */
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

/** The device that would be registered; `network` is a network key. */
interface Candidate {
  network: string
  typeId: number
}

export async function readPayment(
  { db, billing }: { db: Queryable; billing: BillingProvider },
  organizationId: number,
  { network, typeId }: Candidate,
  now: Date,
): Promise<z.infer<typeof paymentRecord>> {
  const standing = await readStanding(db, billing, organizationId, now)
  const offer = isPaymentDue(billing, network, standing) ? billing.offerFor(network) : undefined
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

/** The networks, by key, on which nothing may be registered before billing is set up. */
export async function findUnpaid(
  db: Queryable,
  billing: BillingProvider,
  organizationId: number,
  networks: Iterable<string>,
  now: Date,
): Promise<Set<string>> {
  const charged = [...new Set(networks)].filter((network) => billing.offerFor(network))
  if (charged.length === 0) return new Set()
  const standing = await readStanding(db, billing, organizationId, now)
  return new Set(charged.filter((network) => isPaymentDue(billing, network, standing)))
}

export const paymentMissing =
  'Billing must be set up before a device can be registered on this network.'
