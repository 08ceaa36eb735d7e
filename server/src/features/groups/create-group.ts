import { z } from 'zod'
import { creationOf } from '../../http/change-record.ts'
import { bodyLimits } from '../../http/endpoint.ts'
import { endpoint } from '../core-services.ts'
import { groupBody, readSavedGroup } from './group-body.ts'
import { savedGroup } from './group-record.ts'
import { addGroup } from './group-writes.ts'

export const createGroup = endpoint({
  summary: 'Create a group',
  bodyLimit: bodyLimits.batch,
  body: groupBody,
  answer: z.object({ data: savedGroup }),
  change: creationOf('group', 'groupName'),
  async handle({ body, caller, record }, { db, now }) {
    const { groupName: name, selectedDevices: deviceIds, selectedGroup: parentId } = body
    const data = await db.transaction(async (tx) => {
      const group = await addGroup(tx, caller, { name, deviceIds, parentId }, now())
      await record(tx, { data: { id: group.id } })
      return readSavedGroup(tx, caller.organizationId, group)
    })
    return { data }
  },
})
