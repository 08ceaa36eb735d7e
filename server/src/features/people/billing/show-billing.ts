import { z } from 'zod'
import { withExamples } from '../../../http/examples.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { endpoint } from '../../core-services.ts'
import { readQuota } from '../../fleet/inventory/quota-queries.ts'
import type { BillingServices, Plan } from './plans.ts'
import { readStanding } from './registration-payment.ts'

const pricedPlan = z
  .object(
    withExamples(
      {
        plan_code: z.string(),
        name: z.string(),
        description: z.string(),
        price: z.number().describe('Due every `interval` of `interval_unit`.'),
        setup_fee: z.number(),
        interval: z.int(),
        interval_unit: z.enum(['days', 'weeks', 'months', 'years']),
        tax_name: z.string(),
        tax_percentage: z.number(),
        device_price: z.number().describe('For each device and one `interval_unit`.'),
        device_prices: z
          .array(z.object({ type_id: z.int(), price: z.number() }))
          .describe('Prices of device types that differ from it.'),
        networks: z.array(z.string()).nullable().describe('Null for all networks.'),
      },
      {
        plan_code: 'quarterly',
        name: 'Quarterly',
        description: 'Monitoring, every three months',
        price: 60,
        setup_fee: 25,
        interval: 3,
        interval_unit: 'months',
        tax_name: 'VAT',
        tax_percentage: 20,
        device_price: 1,
        device_prices: [{ type_id: 16, price: 0.5 }],
        networks: null,
      },
    ),
  )
  .meta({ id: 'PricedPlan' })

export const showBilling = endpoint({
  summary: 'The quota of devices, and the plans of the operator with what a registration costs',
  description:
    '`remaining` counts what is left of the limit of the organization and of those above it, up to its tenant. Without `plans` nothing requires payment. `GET /subscription/check/current` has the subscription.',
  answer: z.object({
    data: z
      .object({
        quota: z.object(
          withExamples(
            { devices: z.int(), device_limit: z.int(), remaining: z.int() },
            { devices: 12, device_limit: 1000, remaining: 988 },
          ),
        ),
        ...withExamples(
          {
            is_demo: z.boolean(),
            is_subscribed: z.boolean(),
            trial_ends_at: z.string().nullable(),
          },
          { is_demo: false, is_subscribed: false, trial_ends_at: null },
        ),
        plans: z.array(pricedPlan),
      })
      .meta({ id: 'Billing' }),
  }),
  async handle({ caller: { organizationId } }, { db, billingPlans, now }: BillingServices) {
    const quota = await readQuota(db, organizationId)
    const { isDemo, isSubscribed, trialEnd } = await readStanding(db, organizationId, now())
    return {
      data: {
        quota,
        is_demo: isDemo,
        is_subscribed: isSubscribed,
        trial_ends_at: trialEnd === undefined ? null : isoTime(trialEnd),
        plans: billingPlans.map(toPricedPlan),
      },
    }
  },
})

function toPricedPlan({ unit: _unit, device_prices, networks, ...plan }: Plan) {
  const prices = Object.entries(device_prices)
  return {
    ...plan,
    device_prices: prices.map(([id, price]) => ({ type_id: Number(id), price })),
    networks: networks ?? null,
  }
}
