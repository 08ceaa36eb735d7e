import { notFound } from '../../http/errors.ts'
import { endpoint } from '../services.ts'
import { accountParams, accountQuery, noAccount, readNetwork } from './account-parameters.ts'
import * as accountQueries from './account-queries.ts'

/** Devices stay here and at the network; callbacks with the old secret are refused at once. */
export const deleteNetworkAccount = endpoint({
  summary: 'Disconnect the account at a network',
  params: accountParams,
  query: accountQuery,
  status: 204,
  failures: [404],
  async handle({ params, query, caller }, { db }) {
    const { key } = readNetwork(params.network)
    const wasThere = await accountQueries.remove(
      db,
      caller.organizationId,
      key,
      query.register_method,
    )
    if (!wasThere) throw notFound(noAccount)
  },
})
