import { HttpError } from '../../../http/errors.ts'
import { networks } from '../../../networks/index.ts'
import { NetworkError } from '../../../networks/network-error.ts'
import type { ConnectionServices } from '../connections/connections.ts'
import { comparedKinds, compareWithNetwork } from './comparison.ts'
import { claimDue, setNextComparison } from './own-side-queries.ts'
import { takeTurn } from './turns.ts'

const dayMilliseconds = 24 * 60 * 60 * 1000
const pauseMilliseconds = 60 * 60 * 1000
/** For a network's lists; due accounts wait for one another. */
const listSeconds = 600
/** For calls about single devices; the next day continues where this one stops. */
const detailSeconds = 120

/**
 * Compares the account that has been due longest, if any. Moving its next time on claims it: when the
 * process dies or loses the database, the account is compared a day later. When it stops, the account is
 * due again at once, unless only details are missing: the next comparison goes on with those.
 */
export async function compareDue(
  services: ConnectionServices,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const now = services.now()
  const keys = networks.filter((each) => comparedKinds(each).length > 0).map(({ key }) => key)
  const next = new Date(now.getTime() + dayMilliseconds)
  const account = await claimDue(services.db, { networks: keys, now, next })
  if (!account) return
  try {
    const { id: accountId, organization_id: organizationId, tenant_id: tenantId } = account
    const turn = { accountId, organizationId, tenantId }
    await takeTurn(turn, () =>
      compareWithNetwork(services, account, { seconds: listSeconds, detailSeconds, isStopped }),
    )
  } catch (error) {
    // An `HttpError` means that too many comparisons wait already.
    if (!(error instanceof NetworkError || error instanceof HttpError)) throw error
    if (isStopped()) {
      await setNextComparison(services.db, account.id, now)
      return
    }
    const { network, organization_id } = account
    services.log.warn({ network, organization_id, reason: error.message }, 'comparison failed')
    const again = new Date(now.getTime() + pauseMilliseconds)
    await setNextComparison(services.db, account.id, again)
  }
}
