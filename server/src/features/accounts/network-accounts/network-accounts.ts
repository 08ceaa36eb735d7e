import { z } from 'zod'
import { changeAt } from '../../../http/change-record.ts'
import { notFound } from '../../../http/errors.ts'
import { networks } from '../../../networks/index.ts'
import { endpoint } from '../../core-services.ts'
import * as accountQueries from '../connections/account-queries.ts'
import {
  accountParams,
  accountQuery,
  accountRecord,
  listedAccount,
  methodOf,
  noAccount,
  readNetwork,
  toAccountRecord,
  toListedAccounts,
} from './account-record.ts'
import { removeAccount } from './account-values.ts'
import { withdrawNow } from './callback-withdrawal.ts'

export const listNetworkAccounts = endpoint({
  summary: 'Every network, the account at it, and the fields that connecting it takes',
  answer: z.object({ data: z.array(listedAccount) }),
  async handle({ caller }, services) {
    const accounts = await accountQueries.list(services.db, caller.organizationId)
    return {
      data: networks.flatMap((network) =>
        toListedAccounts(
          network,
          accounts.filter((account) => account.network === network.key),
          services,
          caller,
        ),
      ),
    }
  },
})

export const showNetworkAccount = endpoint({
  summary: 'The account at a network, and what to enter there so that its events arrive',
  params: accountParams,
  query: accountQuery,
  answer: z.object({ data: accountRecord }),
  failures: [404],
  async handle({ params, query, caller }, services) {
    const account = await accountQueries.find(
      services.db,
      caller.organizationId,
      readNetwork(params.network).key,
      methodOf(query),
    )
    if (!account) throw notFound(noAccount)
    return { data: toAccountRecord(account, services, caller) }
  },
})

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
