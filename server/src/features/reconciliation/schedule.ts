import { HttpError } from '../../http/errors.ts'
import { networks } from '../../networks/index.ts'
import { NetworkError } from '../../networks/network-error.ts'
import type { ConnectionServices } from '../connections/connections.ts'
import { comparedKinds, compareWithNetwork } from './comparison.ts'
import { claimDue, setNextComparison } from './own-side-queries.ts'
import { takeTurn } from './turns.ts'

const dayMilliseconds = 24 * 60 * 60 * 1000
const pauseMilliseconds = 60 * 60 * 1000
/** For a network to list what it has: the accounts that are due wait for one another. */
const listSeconds = 600
/** For it to tell of devices one by one; the next day goes on where this one stops. */
const detailSeconds = 120

/**
 * Compares the account that has been due for longest with its network, if there is one. It is
 * claimed by moving its next time on: should the process die, it is compared a day later.
 */
export async function compareDue(services: ConnectionServices): Promise<void> {
  const now = services.now()
  const keys = networks.filter((each) => comparedKinds(each).length > 0).map(({ key }) => key)
  const next = new Date(now.getTime() + dayMilliseconds)
  const account = await claimDue(services.db, { networks: keys, now, next })
  if (!account) return
  try {
    const turn = { accountId: account.id, rootId: account.root_id }
    await takeTurn(turn, () =>
      compareWithNetwork(services, account, { seconds: listSeconds, detailSeconds }),
    )
  } catch (error) {
    // An `HttpError` says that too many comparisons wait already.
    if (!(error instanceof NetworkError || error instanceof HttpError)) throw error
    const { network, organization_id } = account
    services.log.warn({ network, organization_id, reason: error.message }, 'comparison failed')
    const again = new Date(now.getTime() + pauseMilliseconds)
    await setNextComparison(services.db, account.id, again)
  }
}
