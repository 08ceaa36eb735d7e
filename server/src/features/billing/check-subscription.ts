import { endpoint } from '../core-services.ts'
import type { BillingServices } from './billing-provider.ts'
import { subscriptionSummary, toSummary } from './subscription-record.ts'

export const checkSubscription = endpoint({
  summary: 'What the organization pays for',
  answer: subscriptionSummary,
  async handle({ caller }, { db, billing, now }: BillingServices) {
    return toSummary(await billing.read(db, caller.organizationId, now()))
  },
})
