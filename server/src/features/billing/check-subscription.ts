import { endpoint } from '../core-services.ts'
import { readSubscription } from './subscription.ts'
import { subscriptionSummary } from './subscription-record.ts'

export const checkSubscription = endpoint({
  summary: 'What the organization pays for',
  answer: subscriptionSummary,
  handle: ({ caller }, { db, now }) => readSubscription(db, caller.organizationId, now()),
})
