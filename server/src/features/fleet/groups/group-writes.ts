import type { Queryable } from '../../../db/connect.ts'
import type { Caller } from '../../../http/endpoint.ts'
import { invalid } from '../../../http/errors.ts'
import { checkDevices, checkParent } from './group-body.ts'
import * as groupQueries from './group-queries.ts'
import { groupNotFound } from './group-record.ts'
import * as groupedDevices from './grouped-device-queries.ts'

/** What is left out stays as it is; of a new group it is empty. */
interface GroupFields {
  name: string
  /** The whole list. */
  deviceIds?: readonly number[] | null | undefined
  /** Null for a top-level group. */
  parentId?: number | null | undefined
  isOpen?: boolean | null | undefined
}

/** @throws HttpError 422; then nothing has changed. */
export async function addGroup(
  tx: Queryable,
  { organizationId, userId }: Pick<Caller, 'organizationId' | 'userId'>,
  { name, deviceIds, parentId = null }: GroupFields,
  now: Date,
): Promise<groupQueries.StoredGroup> {
  if (parentId !== null) await groupQueries.lockTrees(tx, organizationId)
  const errors = {
    ...(deviceIds ? await checkDevices(tx, organizationId, deviceIds) : {}),
    ...(parentId === null ? {} : await checkParent(tx, organizationId, null, parentId)),
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const group = await groupQueries.insert(tx, organizationId, { name, parentId, userId, now })
  if (deviceIds) {
    await groupedDevices.setDevices(tx, organizationId, { id: group.id, deviceIds }, now)
  }
  return group
}

interface Change {
  id: number
  fields: GroupFields
  now: Date
}

/** @throws HttpError 404 or 422; then nothing has changed. */
export async function changeStoredGroup(
  tx: Queryable,
  organizationId: number,
  { id, fields: { name, deviceIds, parentId, isOpen }, now }: Change,
): Promise<groupQueries.StoredGroup> {
  if (parentId !== undefined) await groupQueries.lockTrees(tx, organizationId)
  const group = await groupQueries.lock(tx, organizationId, id)
  if (!group) throw groupNotFound()
  const errors = {
    ...(deviceIds ? await checkDevices(tx, organizationId, deviceIds) : {}),
    ...(typeof parentId === 'number' ? await checkParent(tx, organizationId, id, parentId) : {}),
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  if (deviceIds) await groupedDevices.setDevices(tx, organizationId, { id, deviceIds }, now)
  const values = {
    id,
    name,
    parent_id: parentId === undefined ? group.parent_id : parentId,
    is_open: isOpen ?? group.is_open,
  }
  return groupQueries.update(tx, organizationId, values, now)
}
