import type { Queryable } from '../../db/connect.ts'
import { invalid } from '../../http/errors.ts'
import { lockTree } from './invitation-queries.ts'
import { countChildren } from './organization-queries.ts'

/** Organizations below one root. */
const mostChildren = 1000

/**
 * Throws the 422 on `field` when the tree of the organization has as many as it may. Other
 * organizations of the tree are made one after the other until the transaction ends.
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
