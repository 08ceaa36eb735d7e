import { z } from 'zod'
import { fieldErrors, requiredText } from '../../../http/fields.ts'
import { findNetwork } from '../../../networks/index.ts'
import type { CoreServices } from '../../core-services.ts'

/** The operator's prices, as the setting `BILLING_PLANS` gives them. */

/** An amount in the operator's one currency, with at most two decimals. */
const money = z
  .number()
  .min(0)
  .max(1_000_000)
  .refine((amount) => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6, {
    error: 'has more than two decimals',
  })

const networkKey = z
  .string()
  .refine((key) => findNetwork(key) !== undefined, { error: 'is no network key' })
  .transform((key) => findNetwork(key)?.key ?? key)

export const planSchema = z.strictObject({
  plan_code: requiredText('plan code'),
  name: requiredText('name'),
  description: z.string().default(''),
  /** Due every `interval` of `interval_unit`. */
  price: money.default(0),
  unit: z.string().default('EA'),
  interval: z.int().min(1).max(120).default(1),
  interval_unit: z.enum(['days', 'weeks', 'months', 'years']).default('months'),
  /** Due once. */
  setup_fee: money.default(0),
  tax_name: z.string().default(''),
  /** Added to every price. */
  tax_percentage: z.number().min(0).max(100).default(0),
  /** For each device and one `interval_unit`. */
  device_price: money.default(0),
  /** Prices that replace `device_price`, by device type id. */
  device_prices: z.record(z.string().regex(/^\d{1,9}$/), money).default({}),
  /** The networks that the plan covers; all of them when left out. */
  networks: z.array(networkKey).min(1).optional(),
})

export type Plan = z.infer<typeof planSchema>

/** For endpoints that depend on payment. */
export interface BillingServices extends CoreServices {
  /** When empty, nothing requires payment. */
  billingPlans: readonly Plan[]
}

/** Reads a JSON array of plans. Each mistake is worded to follow the setting's name. */
export function readPlans(text: string): { plans: Plan[] } | { mistakes: string[] } {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { mistakes: ['is not valid JSON.'] }
  }
  if (!Array.isArray(json))
    return { mistakes: ['must be a list of plans: [{ "plan_code": ... }].'] }
  const result = z.array(planSchema).safeParse(json)
  if (!result.success) {
    const mistakes = Object.entries(fieldErrors(result.error))
    return { mistakes: mistakes.map(([field, words]) => `is wrong at ${field}: ${words[0]}.`) }
  }
  const codes = result.data.map((plan) => plan.plan_code)
  const twice = codes.find((code, index) => codes.indexOf(code) !== index)
  if (twice !== undefined) return { mistakes: [`has two plans with the code ${twice}.`] }
  return { plans: result.data }
}

/** The plan for devices on a network, by network key; undefined where devices are free. */
export function findPlanFor(plans: readonly Plan[], network: string): Plan | undefined {
  return plans.find(({ networks }) => networks === undefined || networks.includes(network))
}
