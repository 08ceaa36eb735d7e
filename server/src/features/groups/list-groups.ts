import { z } from 'zod'
import { endpoint } from '../core-services.ts'
import { listGroupDevices } from './group-device-record.ts'
import * as groupQueries from './group-queries.ts'
import { groupTree, inOrderOfTrees, toTrees } from './group-record.ts'

export const listGroups = endpoint({
  summary: 'List the groups as trees, with their devices',
  answer: z.object({ data: z.array(groupTree) }),
  isLarge: true,
  isHeavy: true,
  async handle({ caller }, services) {
    const groups = await groupQueries.listCounted(services.db, caller.organizationId)
    const devices = listGroupDevices(services, caller, inOrderOfTrees(groups))
    return { data: toTrees(groups, devices) }
  },
})
