import type { Queryable } from '../../db/connect.ts'
import { forbidden, invalid } from '../../http/errors.ts'
import { lockTenant } from './invitation-queries.ts'
import { findOrganization, findReachedLimit } from './organization-queries.ts'

/**
 * Makes other transactions that add organizations to the tenant wait until this one ends. Organization
 * 1 may have any number of tenants.
 *
 * @throws HttpError 403 when the organization is being deleted, and 422 on `field` when there are as many organizations below this one, or below one
 * above it, as there may be.
 */
export async function refuseBeyondLimit(
  tx: Queryable,
  organizationId: number,
  field: string,
): Promise<void> {
  await lockTenant(tx, organizationId)
  if (!(await findOrganization(tx, organizationId)))
    throw forbidden('The organization is being deleted.')
  const limit = await findReachedLimit(tx, organizationId)
  if (limit === undefined) return
  throw invalid({ [field]: [`The limit of ${limit} organizations has been reached.`] })
}
