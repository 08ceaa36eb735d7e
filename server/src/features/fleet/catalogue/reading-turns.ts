import { createConcurrencyLimit, createLimitPerKey } from '../../../http/concurrency-limit.ts'
import type { Caller } from '../../../http/endpoint.ts'
import { unavailable } from '../../../http/errors.ts'

/** The `Retry-After` of a refused reading. */
const pauseSeconds = 30

const refuse = () => unavailable(pauseSeconds, 'Too many catalogues are being read. Try later.')
/** Each holds a whole catalogue in memory, even when its client is gone. */
const ofProcess = createConcurrencyLimit({ atOnce: 2, waiting: 6, refuse })
const ofTenants = createLimitPerKey({ atOnce: 1, waiting: 3, refuse })
const ofOrganizations = createLimitPerKey({ atOnce: 1, waiting: 1, refuse })

/** Reads one catalogue of a tenant at a time, and a few in all. */
export function takeReadingTurn<T>(
  { organizationId, tenantId }: Pick<Caller, 'organizationId' | 'tenantId'>,
  work: () => Promise<T>,
): Promise<T> {
  return ofOrganizations.run(organizationId, () => ofTenants.run(tenantId, () => ofProcess(work)))
}
