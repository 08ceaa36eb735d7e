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
 * Compares the account that has been due longest, if any. Moving its next time on by an hour claims it, so it
 * is compared again then when anything fails, also when the process dies or loses the database. When the
 * service stops, the account is due again at once, unless only details are missing: the comparison of the
 * next day goes on with those.
 */
export async function compareDue(
  services: ConnectionServices,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const now = services.now()
  const keys = networks.filter((each) => comparedKinds(each).length > 0).map(({ key }) => key)
  const later = (milliseconds: number) => new Date(now.getTime() + milliseconds)
  const claim = { networks: keys, now, next: later(pauseMilliseconds) }
  const account = await claimDue(services.db, claim)
  if (!account) return
  try {
    const { id: accountId, organization_id: organizationId, tenant_id: tenantId } = account
    const turn = { accountId, organizationId, tenantId }
    await takeTurn(turn, () =>
      compareWithNetwork(services, account, { seconds: listSeconds, detailSeconds, isStopped }),
    )
    await setNextComparison(services.db, account.id, later(dayMilliseconds))
  } catch (error) {
    // An `HttpError` means that too many comparisons wait already.
    if (!(error instanceof NetworkError || error instanceof HttpError)) throw error
    if (isStopped()) await setNextComparison(services.db, account.id, now)
    else {
      const { network, organization_id } = account
      services.log.warn({ network, organization_id, reason: error.message }, 'comparison failed')
    }
  }
}
