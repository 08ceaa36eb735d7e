import { z } from 'zod'
import { pageQuery, searchText, sortOrder } from '../../http/fields.ts'
import { pageOf, paginated, paginatedList } from '../../http/pages.ts'
import { endpoint } from '../core-services.ts'
import { listMemberPage } from './member-queries.ts'
import { listedMember, toListedMember } from './member-record.ts'

export const listMembers = endpoint({
  summary: 'The members of the organization and their permissions',
  query: z.object({ ...pageQuery, search: searchText(), sortOrder }),
  answer: paginated(listedMember),
  async handle({ query, caller, request }, { db }) {
    const page = pageOf(query, request.sentQuery)
    const { total, members } = await listMemberPage(db, caller.organizationId, {
      page,
      search: query.search,
      isDescending: query.sortOrder === 'desc',
    })
    return paginatedList(members.map(toListedMember), total, page, {
      request,
      payload: query,
    })
  },
})
