import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { changeBy, textOf } from '../../../http/change-record.ts'
import { conflict, invalid, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { requiredText } from '../../../http/fields.ts'
import { momentOf } from '../../../http/timestamps.ts'
import { endpoint } from '../../core-services.ts'
import { customerBody, toCustomer } from './customer.ts'
import type { BillingServices } from './plans.ts'
import { readStanding } from './registration-payment.ts'
import * as subscriptionQueries from './subscription-queries.ts'
import { subscriptionSummary, toSubscriptionRecord, toSummary } from './subscription-record.ts'

/**
 * What the organization pays for. Devices are counted when the bill is read, so each one counts
 * exactly once.
 */
async function readSubscription(
  db: Queryable,
  organizationId: number,
  now: Date,
): Promise<z.infer<typeof subscriptionSummary>> {
  const stored = await subscriptionQueries.find(db, organizationId)
  if (!stored) return toSummary(undefined)
  const counts = await subscriptionQueries.countDevices(db, organizationId, stored.plan.networks)
  return toSummary(toSubscriptionRecord(stored, counts, now.toISOString().slice(0, 10)))
}

export const checkSubscription = endpoint({
  summary: 'What the organization pays for',
  answer: subscriptionSummary,
  handle: ({ caller }, { db, now }) => readSubscription(db, caller.organizationId, now()),
})

export const endSubscription = endpoint({
  summary: 'End billing; the devices stay',
  status: 204,
  failures: [404],
  change: changeBy(() => ({ kind: 'billing', action: 'ended' })),
  async handle({ caller: { organizationId }, record }, { db, now }) {
    await db.transaction(async (tx) => {
      // Registrations lock it too, so each one comes before or after the end.
      await subscriptionQueries.lockOrganization(tx, organizationId)
      const isEnded = await subscriptionQueries.end(tx, organizationId, now())
      if (!isEnded) throw notFound('There is no subscription.')
      await record(tx)
    })
  },
})

export const setUpSubscription = endpoint({
  summary: 'Set up billing; what is not said of the customer is taken from user and organization',
  body: z.object({
    ...withExamples({ plan_code: requiredText('plan code') }, { plan_code: 'quarterly' }),
    customer: customerBody,
  }),
  answer: subscriptionSummary,
  status: 201,
  change: changeBy(({ body }) => ({
    kind: 'billing',
    action: 'started',
    name: textOf(body.plan_code),
  })),
  async handle({ body, caller, request, record }, { db, billingPlans, now }: BillingServices) {
    const { organizationId, userId } = caller
    const plan = billingPlans.find(({ plan_code }) => plan_code === body.plan_code)
    if (!plan) throw invalid({ plan_code: ['The selected plan code is invalid.'] })
    const known = await subscriptionQueries.findKnownCustomer(db, organizationId, userId)
    const customer = toCustomer(body.customer, { ...known, ipAddress: request.clientIp })
    const { trialEnd } = await readStanding(db, organizationId, now())
    const firstBillingOn = (trialEnd ?? momentOf(now())).slice(0, 10)
    const subscription = { plan, customer, userId, firstBillingOn, startedAt: now() }
    await db.transaction(async (tx) => {
      if (!(await subscriptionQueries.insert(tx, organizationId, subscription))) {
        throw conflict('The organization has a subscription already.')
      }
      await record(tx)
    })
    return readSubscription(db, organizationId, now())
  },
})
