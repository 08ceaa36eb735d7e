import { z } from 'zod'
import { pageQuery, queryChoice, searchText, sortOrder } from '../../../http/fields.ts'
import { lite, liteList, pageOf, paginated, paginatedList } from '../../../http/pages.ts'
import { endpoint } from '../../core-services.ts'
import { listPage } from './device-list-queries.ts'
import { listedDevice, liteDevice, toListedDevice, toLiteDevice } from './device-record.ts'

/** Both lists of devices; `version=lite` selects the lite one. */
export const listDevices = endpoint({
  summary: 'List devices; `version=lite` selects the lite envelope and records',
  query: z.object({
    version: queryChoice('version', ['lite']).optional(),
    ...pageQuery,
    search: searchText(),
    sortOrder,
    scope: searchText('scope').default('user'),
  }),
  answer: z.union([paginated(listedDevice), lite(liteDevice)]),
  async handle({ query, caller, request }, { db }) {
    const page = pageOf(query, request.sentQuery)
    const { organizationId, groupId, tag } = caller
    const { devices, total } = await listPage(db, organizationId, { ...query, groupId, tag }, page)
    if (query.version === 'lite') return liteList(devices.map(toLiteDevice), total, page)
    const { search, sortOrder, itemsPerPage, scope } = query
    return paginatedList(devices.map(toListedDevice), total, page, {
      request,
      payload: { page: query.page, search, sortOrder, itemsPerPage, scope },
    })
  },
})
