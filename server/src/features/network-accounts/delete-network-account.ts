import { changeAt } from '../../http/change-record.ts'
import { notFound } from '../../http/errors.ts'
import * as accountQueries from '../connections/account-queries.ts'
import { endpoint } from '../core-services.ts'
import { accountParams, accountQuery, methodOf, noAccount, readNetwork } from './account-record.ts'
import { removeAccount } from './account-values.ts'
import { withdrawNow } from './callback-withdrawal.ts'

/** Devices stay here and at the network; callbacks with the former secret are refused at once. */
export const deleteNetworkAccount = endpoint({
  summary: 'Disconnect the account at a network',
  params: accountParams,
  query: accountQuery,
  status: 204,
  failures: [404],
  change: changeAt('account', 'disconnected', 'network'),
  async handle({ params, query, caller, record }, services) {
    const { key } = readNetwork(params.network)
    const registerMethod = methodOf(query)
    const { organizationId } = caller
    const stored = await accountQueries.find(services.db, organizationId, key, registerMethod)
    const target = { organizationId, network: key, registerMethod, record }
    if (!stored || !(await removeAccount(services, target))) throw notFound(noAccount)
    await withdrawNow(services, stored.id)
  },
})
