import { notFound } from '../../http/errors.ts'
import { endpoint } from '../services.ts'
import { accountParams, accountQuery, noAccount, readNetwork } from './account-parameters.ts'
import * as accountQueries from './account-queries.ts'
import { withdrawCallback } from './callback-entry.ts'

/** Devices stay here and at the network; callbacks with the old secret are refused at once. */
export const deleteNetworkAccount = endpoint({
  summary: 'Disconnect the account at a network',
  params: accountParams,
  query: accountQuery,
  status: 204,
  failures: [404],
  async handle({ params, query, caller }, services) {
    const { key } = readNetwork(params.network)
    const account = [caller.organizationId, key, query.register_method] as const
    const stored = await accountQueries.find(services.db, ...account)
    if (stored) await withdrawCallback(services, stored)
    if (!(await accountQueries.remove(services.db, ...account))) throw notFound(noAccount)
  },
})
