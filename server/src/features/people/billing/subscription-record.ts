import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { type Addon, type Bill, billingDays, computeBill, type TypeCount } from './bill.ts'
import { type Customer, customerRecord } from './customer.ts'
import type { Plan } from './plans.ts'

/** The shapes of a subscription (docs/contract.txt, 2.18). Empty values are `''`. */

const tax = withExamples(
  {
    tax_id: z.string(),
    tax_name: z.string(),
    tax_percentage: z.number(),
    tax_type: z.string(),
  },
  { tax_id: '', tax_name: 'VAT', tax_percentage: 20, tax_type: 'tax' },
)

const planRecord = z
  .object(
    withExamples(
      {
        plan_code: z.string(),
        name: z.string(),
        description: z.string(),
        price: z.number(),
        tags: z.array(z.string()),
        quantity: z.int(),
        discount: z.number(),
        total: z.number(),
        setup_fee: z.number(),
        ...tax,
        setup_fee_tax_id: z.string(),
        setup_fee_tax_name: z.string(),
        setup_fee_tax_percentage: z.number(),
        setup_fee_tax_type: z.string(),
        setup_fee_tax_exemption_id: z.string(),
        setup_fee_tax_exemption_code: z.string(),
        unit: z.string(),
        item_custom_fields: z.array(z.unknown()),
      },
      {
        plan_code: 'quarterly',
        name: 'Quarterly',
        description: 'Monitoring, every three months',
        price: 60,
        tags: [],
        quantity: 1,
        discount: 0,
        total: 60,
        setup_fee: 25,
        setup_fee_tax_id: '',
        setup_fee_tax_name: 'VAT',
        setup_fee_tax_percentage: 20,
        setup_fee_tax_type: 'tax',
        setup_fee_tax_exemption_id: '',
        setup_fee_tax_exemption_code: '',
        unit: 'EA',
        item_custom_fields: [],
      },
    ),
  )
  .meta({ id: 'SubscribedPlan' })

const addonRecord = z
  .object(
    withExamples(
      {
        addon_code: z.string(),
        name: z.string(),
        description: z.string(),
        unit: z.string(),
        price: z.number(),
        quantity: z.int(),
        discount: z.number(),
        total: z.number(),
        ...tax,
        is_taxable: z.boolean(),
        product_exemption_code: z.string(),
        product_exemption_id: z.string(),
        tax_exemption_id: z.string(),
        tax_exemption_code: z.string(),
        tags: z.array(z.string()),
        item_custom_fields: z.array(z.unknown()),
      },
      {
        addon_code: 'rbs301-dws-monitoring-fee',
        name: 'RBS301-DWS - LoRa Door/Window monitoring fee',
        description: '',
        unit: 'EA',
        price: 1,
        quantity: 12,
        discount: 0,
        total: 36,
        is_taxable: true,
        product_exemption_code: '',
        product_exemption_id: '',
        tax_exemption_id: '',
        tax_exemption_code: '',
        tags: [],
        item_custom_fields: [],
      },
    ),
  )
  .meta({ id: 'SubscriptionAddon' })

const subscriptionRecord = z
  .object(
    withExamples(
      {
        customer: customerRecord,
        card: z.boolean(),
        amount: z.number(),
        interval: z.int(),
        interval_unit: z.string(),
        next_billing_at: z.string(),
        last_billing_at: z.string(),
        status: z.literal('live'),
        plan: planRecord,
        addons: z.array(addonRecord),
      },
      {
        card: false,
        amount: 115.2,
        interval: 3,
        interval_unit: 'months',
        next_billing_at: '2026-06-01',
        last_billing_at: '2026-03-01',
      },
    ),
  )
  .meta({ id: 'Subscription' })

type SubscriptionRecord = z.infer<typeof subscriptionRecord>

export const subscriptionSummary = z.union([
  z
    .object({ subscription: z.literal(false), subscription_name: z.null() })
    .meta({ title: 'not subscribed' }),
  z
    .object({
      subscription: subscriptionRecord,
      ...withExamples({ subscription_name: z.string() }, { subscription_name: 'quarterly' }),
    })
    .meta({ title: 'subscribed' }),
])

export function toSummary(
  subscription: SubscriptionRecord | undefined,
): z.infer<typeof subscriptionSummary> {
  if (!subscription) return { subscription: false, subscription_name: null }
  return { subscription, subscription_name: subscription.plan.plan_code }
}

/** A subscription as it is stored. */
export interface StoredSubscription {
  plan: Plan
  customer: Customer
  /** `YYYY-MM-DD`. */
  first_billing_on: string
}

/** `counts` are the devices that the plan covers; `today` is `YYYY-MM-DD`. */
export function toSubscriptionRecord(
  { plan, customer, first_billing_on: firstDay }: StoredSubscription,
  counts: readonly TypeCount[],
  today: string,
): SubscriptionRecord {
  const bill = computeBill(plan, counts)
  const days = billingDays(plan, firstDay, today)
  return {
    customer,
    // The operator sends the bill; no card is needed.
    card: false,
    amount: bill.amount,
    interval: plan.interval,
    interval_unit: plan.interval_unit,
    next_billing_at: days.next,
    last_billing_at: days.last ?? '',
    status: 'live',
    plan: toPlanRecord(plan, bill),
    addons: bill.addons.map((addon) => toAddonRecord(plan, addon)),
  }
}

function toPlanRecord(plan: Plan, bill: Bill): z.infer<typeof planRecord> {
  const planTax = taxOf(plan)
  return {
    plan_code: plan.plan_code,
    name: plan.name,
    description: plan.description,
    price: plan.price,
    tags: [],
    quantity: 1,
    discount: 0,
    total: bill.planTotal,
    setup_fee: plan.setup_fee,
    ...planTax,
    setup_fee_tax_id: planTax.tax_id,
    setup_fee_tax_name: planTax.tax_name,
    setup_fee_tax_percentage: planTax.tax_percentage,
    setup_fee_tax_type: planTax.tax_type,
    setup_fee_tax_exemption_id: '',
    setup_fee_tax_exemption_code: '',
    unit: plan.unit,
    item_custom_fields: [],
  }
}

function toAddonRecord(plan: Plan, addon: Addon): z.infer<typeof addonRecord> {
  return {
    addon_code: addon.code,
    name: addon.name,
    description: '',
    unit: plan.unit,
    price: addon.price,
    quantity: addon.quantity,
    discount: 0,
    total: addon.total,
    ...taxOf(plan),
    is_taxable: plan.tax_percentage > 0,
    product_exemption_code: '',
    product_exemption_id: '',
    tax_exemption_id: '',
    tax_exemption_code: '',
    tags: [],
    item_custom_fields: [],
  }
}

function taxOf(plan: Plan) {
  return {
    tax_id: '',
    tax_name: plan.tax_name,
    tax_percentage: plan.tax_percentage,
    tax_type: plan.tax_percentage > 0 ? 'tax' : '',
  }
}
