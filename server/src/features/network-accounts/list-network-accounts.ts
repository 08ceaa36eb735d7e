import { z } from 'zod'
import { networks } from '../../networks/index.ts'
import * as accountQueries from '../connections/account-queries.ts'
import { endpoint } from '../core-services.ts'
import { listedAccount, toListedAccounts } from './account-record.ts'

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
