import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import { bodyLimits } from '../../http/endpoint.ts'
import { invalid } from '../../http/errors.ts'
import { optionalBoolean } from '../../http/fields.ts'
import { endpoint } from '../core-services.ts'
import { checkDevices, checkParent, groupBody, readSavedGroup } from './group-body.ts'
import * as groupQueries from './group-queries.ts'
import { groupNotFound, groupPath, savedGroup } from './group-record.ts'
import * as groupedDevices from './grouped-device-queries.ts'

const changes = z.object({ ...groupBody.shape, opened: optionalBoolean('opened') })

export const updateGroup = endpoint({
  summary: 'Rename a group, move it, or set its devices; what is left out stays',
  params: groupPath,
  bodyLimit: bodyLimits.batch,
  body: changes,
  answer: z.object({
    status: z.literal('success'),
    status_code: z.literal(200),
    message: z.literal('Group updated successfully'),
    data: savedGroup,
  }),
  failures: [404],
  async handle({ params, body, caller }, { db, now }) {
    const { organizationId } = caller
    const data = await db.transaction(async (tx) => {
      const group = await change(tx, organizationId, { id: params.group_id, body, now: now() })
      return readSavedGroup(tx, organizationId, group)
    })
    return {
      status: 'success' as const,
      status_code: 200 as const,
      message: 'Group updated successfully' as const,
      data,
    }
  },
})

interface Change {
  id: number
  body: z.infer<typeof changes>
  now: Date
}

/** @throws HttpError 404 or 422; then nothing has changed. */
async function change(
  tx: Queryable,
  organizationId: number,
  { id, body, now }: Change,
): Promise<groupQueries.StoredGroup> {
  const { selectedGroup: parentId, selectedDevices: deviceIds } = body
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
    name: body.groupName,
    parent_id: parentId === undefined ? group.parent_id : parentId,
    is_open: body.opened ?? group.is_open,
  }
  return groupQueries.update(tx, organizationId, values, now)
}
