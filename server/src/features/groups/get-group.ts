import { z } from 'zod'
import { endpoint } from '../services.ts'
import { startOfReportingWindow, writeGroupDevices } from './group-device-record.ts'
import { groupNotFound, groupPath } from './group-path.ts'
import * as groupQueries from './group-queries.ts'
import { retrievedGroup, toRetrievedGroup } from './group-record.ts'
import * as groupedDevices from './grouped-device-queries.ts'

export const getGroup = endpoint({
  summary: 'Retrieve a group with its devices; `data` is an array of one',
  params: groupPath,
  answer: z.object({ data: z.array(retrievedGroup) }),
  isLarge: true,
  failures: [404],
  async handle({ params, caller }, { db, sealer, now }) {
    const { organizationId } = caller
    const group = await groupQueries.find(db, organizationId, params.group_id)
    if (!group) throw groupNotFound()
    const heardSince = startOfReportingWindow(now())
    const devices = writeGroupDevices(sealer, caller)
    await groupedDevices.readGroup(db, organizationId, group.id, heardSince, devices.add)
    return { data: [toRetrievedGroup(group, devices.of(group.id))] }
  },
})
