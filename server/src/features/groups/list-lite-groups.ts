import { z } from 'zod'
import { pageQuery, queryChoice } from '../../http/fields.ts'
import { endpoint } from '../core-services.ts'
import * as groupQueries from './group-queries.ts'
import { liteGroup, toLiteTrees } from './lite-group-record.ts'

export const listLiteGroups = endpoint({
  summary: 'List the groups as trees, with the number of their devices',
  description: 'All groups are on page 1; a later page is empty.',
  query: z.object({
    version: queryChoice('version', ['lite']).optional(),
    page: pageQuery.page,
  }),
  answer: z.object({ data: z.array(liteGroup) }),
  isLarge: true,
  async handle({ query, caller }, { db }) {
    if (query.page > 1) return { data: [] }
    return { data: toLiteTrees(await groupQueries.listCounted(db, caller.organizationId)) }
  },
})
