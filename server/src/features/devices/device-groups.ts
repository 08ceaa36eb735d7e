import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import type { Caller } from '../../http/endpoint.ts'
import { type FieldErrors, forbidden, invalid, lacksPermission } from '../../http/errors.ts'
import { requiredInteger } from '../../http/fields.ts'
import * as groupQueries from '../groups/group-queries.ts'

/** Of one device. */
const mostGroups = 100

/** The groups of a device by their ids, each once. */
export const groupIds = z
  .array(requiredInteger('group id'), { error: 'The groups must be an array.' })
  .max(mostGroups, `The groups may not have more than ${mostGroups} entries.`)
  .transform((ids) => [...new Set(ids)])

export function groupsUnknown(ids: readonly number[]): string {
  return `The groups do not exist: ${ids.join(', ')}.`
}

/** Complains of ids that are no group of the organization. */
export function findGroupFaults(
  db: Queryable,
  organizationId: number,
  ids: readonly number[],
): Promise<FieldErrors> {
  return complainOf(ids, (id) => groupQueries.find(db, organizationId, id))
}

/** Nobody changes these groups until the transaction ends. Throws the 422 where one is not there. */
export async function lockGroups(
  tx: Queryable,
  organizationId: number,
  groups: readonly number[],
): Promise<void> {
  await groupQueries.lockTrees(tx, organizationId)
  const errors = await complainOf(groups, (id) => groupQueries.lock(tx, organizationId, id))
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

/** One lookup each: most devices are in one or two groups, and there may be 10,000 others. */
async function complainOf(
  ids: readonly number[],
  find: (id: number) => Promise<object | undefined>,
): Promise<FieldErrors> {
  const unknown: number[] = []
  for (const id of ids) if (!(await find(id))) unknown.push(id)
  return unknown.length === 0 ? {} : { groups: [groupsUnknown(unknown)] }
}

/** Throws the 403. */
export function mustManageGroups({ permissions }: Caller): void {
  if (!permissions.includes('manage_groups')) {
    throw forbidden(lacksPermission('manage_groups'))
  }
}
