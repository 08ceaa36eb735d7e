import { z } from 'zod'
import { pageQuery, searchText, sortOrder } from '../../http/fields.ts'
import { pageOf, paginated, paginatedList } from '../../http/pages.ts'
import { endpoint } from '../core-services.ts'
import { listChildren } from './child-queries.ts'
import { childRecord, toChildRecord } from './child-record.ts'

export const listChildOrganizations = endpoint({
  summary: 'The organizations directly below this one, with their limits and what they use of them',
  query: z.object({ ...pageQuery, search: searchText(), sortOrder }),
  answer: paginated(childRecord),
  async handle({ query, caller, request }, { db }) {
    const page = pageOf(query, request.sentQuery)
    const { total, children } = await listChildren(db, caller.organizationId, {
      page,
      search: query.search ?? '',
      isDescending: query.sortOrder === 'desc',
    })
    return paginatedList(children.map(toChildRecord), total, page, { request, payload: query })
  },
})
