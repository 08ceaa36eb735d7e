import { z } from 'zod'
import { endpoint } from '../../features/core-services.ts'
import { pageQuery } from '../../http/fields.ts'
import { pageOf, paginated, paginatedList } from '../../http/pages.ts'
import { listAll } from './uplink-queries.ts'
import { toUplinkRecord, uplinkRecord } from './uplink-record.ts'

export const listAllUplinks = endpoint({
  summary: 'Uplinks of all devices, newest first',
  query: z.object(pageQuery),
  answer: paginated(uplinkRecord),
  async handle({ query, caller, request }, { db }) {
    const page = pageOf(query, request.sentQuery)
    const { total, uplinks } = await listAll(db, caller.organizationId, page)
    return paginatedList(uplinks.map(toUplinkRecord), total, page, {
      request,
      payload: { page: query.page, itemsPerPage: query.itemsPerPage },
    })
  },
})
