import { z } from 'zod'
import { endpoint } from '../core-services.ts'
import { listGroupDevices } from './group-device-record.ts'
import * as groupQueries from './group-queries.ts'
import { groupNotFound, groupPath, retrievedGroup, toRetrievedGroup } from './group-record.ts'

export const getGroup = endpoint({
  summary: 'Retrieve a group with its devices; `data` is an array of one',
  params: groupPath,
  answer: z.object({ data: z.array(retrievedGroup) }),
  isLarge: true,
  isHeavy: true,
  failures: [404],
  async handle({ params, caller }, services) {
    const group = await groupQueries.find(services.db, caller.organizationId, params.group_id)
    if (!group) throw groupNotFound()
    const counted = { id: group.id, device_count: Number.POSITIVE_INFINITY }
    const devices = listGroupDevices(services, caller, [counted])
    return { data: [toRetrievedGroup(group, devices.of(group.id))] }
  },
})
