import { z } from 'zod'
import { notFound } from '../../http/errors.ts'
import * as accountQueries from '../connections/account-queries.ts'
import { endpoint } from '../core-services.ts'
import {
  accountParams,
  accountQuery,
  accountRecord,
  methodOf,
  noAccount,
  readNetwork,
  toAccountRecord,
} from './account-record.ts'

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
