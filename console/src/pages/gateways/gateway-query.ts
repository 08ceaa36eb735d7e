import type { Answer, RequestParts } from '../../api/client.ts'

export type FleetGateway = Answer<'GET /fleet/gateways'>['data'][number]
export type GatewayDetails = Answer<'GET /fleet/gateways/{gateway_id}'>['data']
export type GatewayQuery = NonNullable<RequestParts<'GET /fleet/gateways'>['query']>

export const gatewaySorts = [
  'name',
  'network',
  'status',
  'last_seen',
  'uptime',
  'uplink_count',
] as const

export const pageSize = 50
/** More points than anyone can distinguish on a map. */
export const mostOnMap = 1000

/** Whether gateways are registered on the network, or recorded as those of kind `other`. */
export function takesGateways(network: { key: string; capabilities: { gateways: boolean } }) {
  return network.capabilities.gateways || network.key === 'other'
}

/** The filters of an address as the API takes them. */
export function filterOf({ search, network, tag, status, verdict }: GatewayQuery): GatewayQuery {
  return { search, network, tag, status, verdict }
}
