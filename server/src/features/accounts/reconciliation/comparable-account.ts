import type { Queryable } from '../../../db/connect.ts'
import { invalid, notFound } from '../../../http/errors.ts'
import type { Network } from '../../../networks/network.ts'
import * as accountQueries from '../connections/account-queries.ts'
import { noAccount, readNetwork } from '../network-accounts/account-record.ts'
import { comparedKinds } from './comparison.ts'

/** Finds the account of a request; throws the 404, or the 422 when the network lists nothing. */
export async function findComparable(
  db: Queryable,
  organizationId: number,
  named: { network: string; registerMethod: accountQueries.RegisterMethod },
): Promise<{ network: Network; account: accountQueries.StoredAccount }> {
  const network = readNetwork(named.network)
  const account = await accountQueries.find(db, organizationId, network.key, named.registerMethod)
  if (!account) throw notFound(noAccount)
  if (comparedKinds(network).length === 0) {
    const message = `${network.name} does not tell what devices it has, so that there is nothing to compare with.`
    throw invalid({ network: [message] })
  }
  return { network, account }
}
