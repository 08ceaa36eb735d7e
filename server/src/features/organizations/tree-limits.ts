import type { Queryable } from '../../db/connect.ts'
import { invalid } from '../../http/errors.ts'
import { lockTree } from './invitation-queries.ts'
import { countChildren } from './organization-queries.ts'

/** Organizations below one root. */
const mostChildren = 1000

/**
 * Makes other transactions that add organizations to the tree wait until this one ends.
 *
 * @throws HttpError 422 on `field` when the tree has as many organizations as it may have.
 */
export async function refuseBeyondTree(
  tx: Queryable,
  organizationId: number,
  field: string,
): Promise<void> {
  await lockTree(tx, organizationId)
  const children = await countChildren(tx, organizationId)
  if (children < mostChildren) return
  throw invalid({
    [field]: [`There may not be more than ${mostChildren} organizations below the first of them.`],
  })
}
