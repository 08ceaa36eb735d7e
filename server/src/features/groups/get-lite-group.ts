import { z } from 'zod'
import { queryChoice } from '../../http/fields.ts'
import { endpoint } from '../core-services.ts'
import * as groupQueries from './group-queries.ts'
import { groupNotFound, groupPath } from './group-record.ts'
import { listNames } from './grouped-device-queries.ts'
import { retrievedLiteGroup, toRetrievedLiteGroup } from './lite-group-record.ts'

export const getLiteGroup = endpoint({
  summary: 'Retrieve a group with the names of its devices',
  params: groupPath,
  query: z.object({ version: queryChoice('version', ['lite']).optional() }),
  answer: z.object({ data: retrievedLiteGroup }),
  isLarge: true,
  failures: [404],
  async handle({ params, caller }, { db }) {
    const { organizationId } = caller
    const group = await groupQueries.find(db, organizationId, params.group_id)
    if (!group) throw groupNotFound()
    const devices = await listNames(db, organizationId, group.id)
    return { data: toRetrievedLiteGroup(group, devices) }
  },
})
