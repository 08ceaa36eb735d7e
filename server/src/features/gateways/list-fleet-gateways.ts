import { z } from 'zod'
import { queryChoice, queryInteger, searchText, sortOrder } from '../../http/fields.ts'
import { endpoint } from '../core-services.ts'
import * as fleetGatewayQueries from './fleet-gateway-queries.ts'
import { fleetGateway, toFleetGateway } from './fleet-gateway-record.ts'

const hour = 60 * 60 * 1000
const mostHours = 24 * 365

export const listFleetGateways = endpoint({
  summary: 'List gateways as the console shows them, filtered and sorted',
  description:
    '`silent` finds gateways that were not heard for so many hours, or never. `after` continues' +
    ' behind the last record of an answer, also when others come or go meanwhile; it needs the same' +
    ' `sort` and `order`.',
  query: z.object({
    search: searchText(),
    network: searchText('network').optional(),
    status: queryChoice('status', ['pending', 'active', 'register_error']).optional(),
    silent: queryInteger('silent', { min: 1, max: mostHours, fallback: 0 }),
    sort: queryChoice('sort', [
      'name',
      'network',
      'status',
      'first_seen',
      'last_seen',
      'uplink_count',
      'downlink_count',
      'created_at',
    ]).default('name'),
    order: sortOrder,
    limit: queryInteger('limit', { min: 1, max: 1000, fallback: 100 }),
    offset: queryInteger('offset', { min: 0, fallback: 0 }),
    after: queryInteger('after', { min: 1, fallback: 0 }),
  }),
  answer: z.object({
    data: z.array(fleetGateway),
    total: z.int().meta({ examples: [1] }),
    after: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
  }),
  async handle({ query, caller }, { db, now }) {
    const { search, network, status, silent, sort, order, limit, offset } = query
    const silentSince = silent > 0 ? new Date(now().getTime() - silent * hour) : undefined
    const after = query.after || null
    const filter = { search, network: network || undefined, status, silentSince }
    const page = { sort, order, limit, offset, after }
    const { total, gateways } = await fleetGatewayQueries.listFleetGateways(
      db,
      caller.organizationId,
      filter,
      page,
    )
    const last = gateways.length === limit ? gateways.at(-1) : undefined
    return {
      data: gateways.map(toFleetGateway),
      total,
      after: last ? String(last.id) : null,
    }
  },
})
