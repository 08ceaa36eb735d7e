import type { Answer, RequestParts } from '../../api/client.ts'

export type FleetGateway = Answer<'GET /fleet/gateways'>['data'][number]
export type GatewayDetails = Answer<'GET /fleet/gateways/{gateway_id}'>['data']
export type GatewayQuery = NonNullable<RequestParts<'GET /fleet/gateways'>['query']>

export const gatewaySorts = ['name', 'network', 'status', 'last_seen', 'uplink_count'] as const

export type GatewaySort = (typeof gatewaySorts)[number]

/** The search of the page's address. */
export interface GatewaySearch {
  search?: string | undefined
  network?: string | undefined
  status?: 'pending' | 'active' | 'register_error' | undefined
  verdict?: 'ok' | 'new' | 'silent' | 'attention' | undefined
  sort?: GatewaySort | undefined
  order?: 'asc' | 'desc' | undefined
  page?: number | undefined
  view?: 'table' | 'map' | undefined
}

export const pageSize = 50
/** More points than anyone can distinguish on a map. */
export const mostOnMap = 1000

/** The filters of an address as the API takes them. */
export function filterOf(search: GatewaySearch): GatewayQuery {
  const { network, status, verdict } = search
  return { search: search.search, network, status, verdict }
}
