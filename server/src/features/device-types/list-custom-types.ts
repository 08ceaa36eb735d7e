import { z } from 'zod'
import { pageQuery } from '../../http/fields.ts'
import { pageOf, paginated, paginatedList } from '../../http/pages.ts'
import { endpoint } from '../core-services.ts'
import * as typeQueries from './device-type-queries.ts'
import { customTypeSummary, toTypeSummary } from './device-type-record.ts'

export const listCustomTypes = endpoint({
  summary: 'Device types of your own',
  query: z.object(pageQuery),
  answer: paginated(customTypeSummary),
  async handle({ query, caller, request }, { db }) {
    const page = pageOf(query, request.sentQuery)
    const { total, types } = await typeQueries.list(db, caller.organizationId, page)
    return paginatedList(types.map(toTypeSummary), total, page, {
      request,
      payload: { page: query.page, itemsPerPage: query.itemsPerPage },
    })
  },
})
