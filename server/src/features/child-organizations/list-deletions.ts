import { z } from 'zod'
import { pageQuery } from '../../http/fields.ts'
import { pageOf, paginated, paginatedList } from '../../http/pages.ts'
import { endpoint } from '../core-services.ts'
import { listPage } from './deletion-queries.ts'
import { deletionRecord, toDeletionRecord } from './deletion-record.ts'

export const listDeletions = endpoint({
  summary: 'Deletions of organizations that were directly below this one, newest first',
  description: 'How far each is. They are kept for 30 days after their end.',
  query: z.object(pageQuery),
  answer: paginated(deletionRecord),
  async handle({ query, caller, request }, { db }) {
    const page = pageOf(query, request.sentQuery)
    const { total, deletions } = await listPage(db, caller.organizationId, page)
    return paginatedList(deletions.map(toDeletionRecord), total, page, { request, payload: query })
  },
})
