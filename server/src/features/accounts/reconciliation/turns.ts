import { createConcurrencyLimit, createLimitPerKey } from '../../../http/concurrency-limit.ts'
import { unavailable } from '../../../http/errors.ts'

/** Concurrent comparisons in one process: each may hold a network's whole list in memory. */
const atOnce = 4
const waiting = 8
/** Concurrent comparisons of one tenant, and those that wait: the rest is left to others. */
const ofTenant = { atOnce: 2, waiting: 4 }
/** The same for one organization, which leaves the rest to the others of its tenant. */
const ofOrganization = { atOnce: 1, waiting: 2 }
/** Comparisons of an account that wait behind the running one. */
const waitingPerAccount = 4
/** The `Retry-After` of a refused comparison. */
const pauseSeconds = 30

/** The account of a comparison, its organization and tenant. */
interface Turn {
  accountId: number
  organizationId: number
  tenantId: number
}

/** Runs a comparison with its actions when it is the account's turn. */
export type Turns = <T>(turn: Turn, work: () => Promise<T>) => Promise<T>

/**
 * Runs one comparison of an organization at a time, a few of a tenant, and a few in all. Some
 * more wait; the rest get a 503 before any work is done.
 */
export function createTurns(): Turns {
  const refuse = () => unavailable(pauseSeconds, 'Too many accounts are being compared. Try later.')
  const ofProcess = createConcurrencyLimit({ atOnce, waiting, refuse })
  const ofTenants = createLimitPerKey({ ...ofTenant, refuse })
  const ofOrganizations = createLimitPerKey({ ...ofOrganization, refuse })
  const ofAccounts = createLimitPerKey({
    atOnce: 1,
    waiting: waitingPerAccount,
    refuse: () => unavailable(pauseSeconds, 'The account is being compared already.'),
  })
  return ({ accountId, organizationId, tenantId }, work) =>
    ofAccounts.run(accountId, () =>
      ofOrganizations.run(organizationId, () => ofTenants.run(tenantId, () => ofProcess(work))),
    )
}

/** The turns of this process, shared by requests and the daily comparison. */
export const takeTurn = createTurns()
