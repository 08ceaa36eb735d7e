import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import type { Caller } from '../../../http/endpoint.ts'
import { type FieldErrors, forbidden, invalid, lacksPermission } from '../../../http/errors.ts'
import { requiredInteger } from '../../../http/fields.ts'
import * as groupQueries from '../groups/group-queries.ts'

/** Groups of one device. */
const mostGroups = 100

/** The ids of a device's groups, without duplicates. */
export const groupIds = z
  .array(requiredInteger('group id'), { error: 'The groups must be an array.' })
  .max(mostGroups, `The groups may not have more than ${mostGroups} entries.`)
  .transform((ids) => [...new Set(ids)])

export function groupsUnknown(ids: readonly number[]): string {
  return `The groups do not exist: ${ids.join(', ')}.`
}

/** Names the ids that are no group of the organization. */
export function findGroupFaults(
  db: Queryable,
  organizationId: number,
  ids: readonly number[],
): Promise<FieldErrors> {
  return complainOf(ids, (id) => groupQueries.find(db, organizationId, id))
}

/** Locks the groups until the transaction ends. Throws the 422 when one is missing. */
export async function lockGroups(
  tx: Queryable,
  organizationId: number,
  groups: readonly number[],
): Promise<void> {
  await groupQueries.lockTrees(tx, organizationId)
  const errors = await complainOf(groups, (id) => groupQueries.lock(tx, organizationId, id))
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

/** One lookup per id: most devices are in one or two groups of up to 10,000. */
async function complainOf(
  ids: readonly number[],
  find: (id: number) => Promise<object | undefined>,
): Promise<FieldErrors> {
  const unknown: number[] = []
  for (const id of ids) if (!(await find(id))) unknown.push(id)
  return unknown.length === 0 ? {} : { groups: [groupsUnknown(unknown)] }
}

/** Throws the 403 without the permission, and for callers who reach only some devices. */
export function mustManageGroups({ permissions, groupId, tag }: Caller): void {
  if (groupId !== undefined) {
    throw forbidden('Whoever is limited to a group cannot change the groups of devices.')
  }
  if (tag !== undefined) {
    throw forbidden('An API key that is limited to a tag cannot change the groups of devices.')
  }
  if (!permissions.includes('manage_groups')) {
    throw forbidden(lacksPermission('manage_groups'))
  }
}

/** Throws the 403 for keys that reach the devices with a tag: they would decide what they reach. */
export function mustManageTags({ tag }: Caller): void {
  if (tag !== undefined) {
    throw forbidden('An API key that is limited to a tag cannot change the tags of devices.')
  }
}
