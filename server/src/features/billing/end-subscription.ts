import { notFound } from '../../http/errors.ts'
import { endpoint } from '../core-services.ts'
import type { BillingServices } from './billing-provider.ts'

export const endSubscription = endpoint({
  summary: 'End billing; the devices stay',
  status: 204,
  failures: [404],
  async handle({ caller }, { db, billing, now }: BillingServices) {
    if (!(await billing.end(db, caller.organizationId, now()))) {
      throw notFound('There is no subscription.')
    }
  },
})
