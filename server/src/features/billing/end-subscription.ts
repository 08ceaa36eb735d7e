import { changeBy } from '../../http/change-record.ts'
import { notFound } from '../../http/errors.ts'
import { endpoint } from '../core-services.ts'
import * as subscriptionQueries from './subscription-queries.ts'

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
