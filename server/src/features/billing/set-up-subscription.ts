import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import { conflict, invalid } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { requiredText } from '../../http/fields.ts'
import { momentOf } from '../../http/timestamps.ts'
import { endpoint } from '../core-services.ts'
import type { BillingServices } from './billing-provider.ts'
import { customerBody, type KnownCustomer, toCustomer } from './customer.ts'
import { readStanding } from './registration-payment.ts'
import { subscriptionSummary, toSummary } from './subscription-record.ts'

export const setUpSubscription = endpoint({
  summary: 'Set up billing; what is not said of the customer is taken from user and organization',
  body: z.object({
    ...withExamples({ plan_code: requiredText('plan code') }, { plan_code: 'quarterly' }),
    customer: customerBody,
  }),
  answer: subscriptionSummary,
  status: 201,
  async handle({ body, caller, request }, { db, billing, now }: BillingServices) {
    const { organizationId, userId } = caller
    const plan = billing.findPlan(body.plan_code)
    if (!plan) throw invalid({ plan_code: ['The selected plan code is invalid.'] })
    const known = await readKnownCustomer(db, organizationId, userId)
    const customer = toCustomer(body.customer, { ...known, ipAddress: request.clientIp })
    const { trialEnd } = await readStanding(db, billing, organizationId, now())
    const firstBillingOn = (trialEnd ?? momentOf(now())).slice(0, 10)
    const order = { plan, customer, userId, firstBillingOn, now: now() }
    if (!(await billing.begin(db, organizationId, order))) {
      throw conflict('The organization has a subscription already.')
    }
    return toSummary(await billing.read(db, organizationId, now()))
  },
})

async function readKnownCustomer(
  db: Queryable,
  organizationId: number,
  userId: number,
): Promise<Omit<KnownCustomer, 'ipAddress'>> {
  const rows = await db.query<{
    name: string
    address_line_1: string | null
    address_line_2: string | null
    first_name: string
    last_name: string
    email: string
  }>(
    `select organizations.name, organizations.address_line_1, organizations.address_line_2,
       users.first_name, users.last_name, users.email
     from organizations join users on users.id = $2
     where organizations.id = $1`,
    [organizationId, userId],
  )
  const known = rows[0]
  if (!known) throw new Error(`organization ${organizationId} or user ${userId} is gone`)
  return {
    organizationId,
    company: known.name,
    firstName: known.first_name,
    lastName: known.last_name,
    email: known.email,
    addressLine1: known.address_line_1 ?? '',
    addressLine2: known.address_line_2 ?? '',
  }
}
