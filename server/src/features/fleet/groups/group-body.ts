import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import type { FieldErrors } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { requiredInteger, requiredText } from '../../../http/fields.ts'
import * as groupQueries from './group-queries.ts'
import { type savedGroup, toSavedGroup } from './group-record.ts'
import * as groupedDevices from './grouped-device-queries.ts'

/** The fields that creating and updating a group share. */
export const groupBody = z.object(
  withExamples(
    {
      groupName: requiredText('group name'),
      /** Integer ids, the whole list. Left out: none for a new group, unchanged for a stored one. */
      selectedDevices: z
        .array(requiredInteger('device id'), { error: 'The selected devices must be an array.' })
        .max(100_000, 'The selected devices may not have more than 100,000 entries.')
        .transform((ids) => [...new Set(ids)])
        .nullish(),
      /** The parent; null for a top-level group. */
      selectedGroup: requiredInteger('selected group').nullish(),
    },
    { groupName: 'Ground floor', selectedDevices: [101], selectedGroup: null },
  ),
)

/**
 * Levels of nested groups. Every level nests the JSON of the list by two, and common parsers give up
 * at a nesting of 1,000.
 */
const mostLevels = 100
/** Unknown ids named in a message. */
const namedIds = 5

/** Names the ids that are no device of the organization. */
export async function checkDevices(
  db: Queryable,
  organizationId: number,
  deviceIds: readonly number[],
): Promise<FieldErrors> {
  const unknown = await groupedDevices.findUnknown(db, organizationId, deviceIds)
  if (unknown.length === 0) return {}
  const named = unknown.slice(0, namedIds).join(', ')
  const rest = unknown.length > namedIds ? ` and ${unknown.length - namedIds} more` : ''
  return { selectedDevices: [`The selected devices do not exist: ${named}${rest}.`] }
}

/**
 * Refuses a parent that does not exist, that lies within the group itself, or that would nest the
 * tree too deeply. `groupId` is null for a new group. The caller locks the trees.
 */
export async function checkParent(
  tx: Queryable,
  organizationId: number,
  groupId: number | null,
  parentId: number,
): Promise<FieldErrors> {
  const way = await groupQueries.listWayUp(tx, organizationId, parentId)
  if (way.length === 0) return { selectedGroup: ['The selected group does not exist.'] }
  if (groupId !== null && way.includes(groupId)) {
    return { selectedGroup: ['A group cannot be moved into itself or into one of its subgroups.'] }
  }
  const height =
    groupId === null ? 1 : await groupQueries.measureHeight(tx, organizationId, groupId)
  if (way.length + height <= mostLevels) return {}
  return { selectedGroup: [`Groups may not be nested more than ${mostLevels} levels deep.`] }
}

/** Reads the record of a group in the transaction that wrote it. */
export async function readSavedGroup(
  tx: Queryable,
  organizationId: number,
  group: groupQueries.StoredGroup,
): Promise<z.infer<typeof savedGroup>> {
  const way = await groupQueries.listWayUp(tx, organizationId, group.id)
  const devices = await groupedDevices.listNames(tx, organizationId, group.id)
  return toSavedGroup(group, way.length - 1, devices)
}
