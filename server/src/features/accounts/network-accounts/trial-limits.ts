import { createConcurrencyLimit, createLimitPerKey } from '../../../http/concurrency-limit.ts'
import type { Caller } from '../../../http/endpoint.ts'
import { unavailable } from '../../../http/errors.ts'

const refuse = () => unavailable(5, 'Too many accounts are being checked. Try again shortly.')
/** The trials of this process, of one tenant, and of one organization. */
const ofProcess = createConcurrencyLimit({ atOnce: 8, waiting: 16, refuse })
const ofTenants = createLimitPerKey({ atOnce: 2, waiting: 4, refuse })
const ofOrganizations = createLimitPerKey({ atOnce: 1, waiting: 2, refuse })

/** Calls a network with values that need not be stored; throws 503 when too many callers wait already. */
export function tryInTurn<Result>(
  { organizationId, tenantId }: Pick<Caller, 'organizationId' | 'tenantId'>,
  work: () => Promise<Result>,
): Promise<Result> {
  return ofOrganizations.run(organizationId, () => ofTenants.run(tenantId, () => ofProcess(work)))
}
