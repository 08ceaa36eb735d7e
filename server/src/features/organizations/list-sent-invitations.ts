import { z } from 'zod'
import { pageQuery } from '../../http/fields.ts'
import { pageOf, paginated, paginatedList } from '../../http/pages.ts'
import { momentOf } from '../../http/timestamps.ts'
import { endpoint } from '../core-services.ts'
import { listOfOrganization } from './invitation-queries.ts'
import { sentInvitation, toSent } from './invitation-record.ts'

export const listSentInvitations = endpoint({
  summary: 'The invitations of the organization that wait for an answer',
  query: z.object(pageQuery),
  answer: paginated(sentInvitation),
  async handle({ query, caller, request }, { db, now }) {
    const page = pageOf(query, request.sentQuery)
    const { total, invitations } = await listOfOrganization(db, caller.organizationId, {
      page,
      now: momentOf(now()),
    })
    return paginatedList(invitations.map(toSent), total, page, {
      request,
      payload: query,
    })
  },
})
