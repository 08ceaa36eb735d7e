import { z } from 'zod'
import { changeOf } from '../../http/change-record.ts'
import { bodyLimits } from '../../http/endpoint.ts'
import { optionalBoolean } from '../../http/fields.ts'
import { endpoint } from '../core-services.ts'
import { groupBody, readSavedGroup } from './group-body.ts'
import { groupPath, savedGroup } from './group-record.ts'
import { changeStoredGroup } from './group-writes.ts'

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
  change: changeOf('group', 'changed'),
  async handle({ params, body, caller, record }, { db, now }) {
    const { organizationId } = caller
    const fields = {
      name: body.groupName,
      deviceIds: body.selectedDevices,
      parentId: body.selectedGroup,
      isOpen: body.opened,
    }
    const data = await db.transaction(async (tx) => {
      const change = { id: params.group_id, fields, now: now() }
      const group = await changeStoredGroup(tx, organizationId, change)
      await record(tx)
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
