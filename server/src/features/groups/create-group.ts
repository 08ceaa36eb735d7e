import { z } from 'zod'
import { bodyLimits } from '../../http/endpoint.ts'
import { invalid } from '../../http/errors.ts'
import { endpoint } from '../core-services.ts'
import { checkDevices, checkParent, groupBody, readSavedGroup } from './group-body.ts'
import * as groupQueries from './group-queries.ts'
import { savedGroup } from './group-record.ts'
import * as groupedDevices from './grouped-device-queries.ts'

export const createGroup = endpoint({
  summary: 'Create a group',
  bodyLimit: bodyLimits.batch,
  body: groupBody,
  answer: z.object({ data: savedGroup }),
  async handle({ body, caller }, { db, now }) {
    const { organizationId, userId } = caller
    const { groupName: name, selectedDevices: deviceIds, selectedGroup: parentId = null } = body
    const data = await db.transaction(async (tx) => {
      if (parentId !== null) await groupQueries.lockTrees(tx, organizationId)
      const errors = {
        ...(deviceIds ? await checkDevices(tx, organizationId, deviceIds) : {}),
        ...(parentId === null ? {} : await checkParent(tx, organizationId, null, parentId)),
      }
      if (Object.keys(errors).length > 0) throw invalid(errors)
      const values = { name, parentId, userId, now: now() }
      const group = await groupQueries.insert(tx, organizationId, values)
      if (deviceIds) {
        await groupedDevices.setDevices(tx, organizationId, { id: group.id, deviceIds }, now())
      }
      return readSavedGroup(tx, organizationId, group)
    })
    return { data }
  },
})
