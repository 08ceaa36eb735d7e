import { z } from 'zod'
import { pageQuery, queryChoice, searchText, sortOrder } from '../../../http/fields.ts'
import { lite, liteList, pageOf, paginated, paginatedList } from '../../../http/pages.ts'
import { endpoint } from '../../core-services.ts'
import * as gatewayQueries from '../inventory/gateway-queries.ts'
import { listedGateway, liteGateway, toListedGateway, toLiteGateway } from './gateway-record.ts'

/** Both lists of gateways; `version=lite` selects the lite one. */
export const listGateways = endpoint({
  summary: 'List gateways; `version=lite` selects the lite envelope and records',
  query: z.object({
    version: queryChoice('version', ['lite']).optional(),
    ...pageQuery,
    search: searchText(),
    gatewayEui: searchText('gateway EUI'),
    sortOrder,
  }),
  answer: z.union([paginated(listedGateway), lite(liteGateway)]),
  async handle({ query, caller, request }, { db }) {
    const page = pageOf(query, request.sentQuery)
    const { gateways, total } = await gatewayQueries.list(db, caller.organizationId, query, page)
    if (query.version === 'lite') return liteList(gateways.map(toLiteGateway), total, page)
    const { search, gatewayEui, sortOrder, itemsPerPage } = query
    return paginatedList(gateways.map(toListedGateway), total, page, {
      request,
      payload: { page: query.page, search, gatewayEui, sortOrder, itemsPerPage },
    })
  },
})
