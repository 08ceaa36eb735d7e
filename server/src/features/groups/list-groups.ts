import { z } from 'zod'
import { endpoint } from '../services.ts'
import { startOfReportingWindow, writeGroupDevices } from './group-device-record.ts'
import * as groupQueries from './group-queries.ts'
import { groupTree, toTrees } from './group-record.ts'
import * as groupedDevices from './grouped-device-queries.ts'

export const listGroups = endpoint({
  summary: 'List the groups as trees, with their devices',
  answer: z.object({ data: z.array(groupTree) }),
  isLarge: true,
  async handle({ caller }, { db, sealer, now }) {
    const { organizationId } = caller
    const groups = await groupQueries.list(db, organizationId)
    const devices = writeGroupDevices(sealer, caller)
    const heardSince = startOfReportingWindow(now())
    await groupedDevices.readAll(db, organizationId, heardSince, devices.add)
    return { data: toTrees(groups, devices) }
  },
})
