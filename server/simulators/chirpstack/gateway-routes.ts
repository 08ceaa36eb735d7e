// GatewayService, api/proto/api/gateway.proto. The answers are those of
// chirpstack/src/api/gateway.rs.

import gatewayGrpc from '@chirpstack/chirpstack-api/api/gateway_grpc_pb.js'
import gatewayPb, {
  type Gateway,
  type ListGatewaysRequest,
} from '@chirpstack/chirpstack-api/api/gateway_pb.js'
import commonPb from '@chirpstack/chirpstack-api/common/common_pb.js'
import type { UntypedServiceImplementation } from '@grpc/grpc-js'
import { type CallContext, checkName, duplicate, invalid, serve } from './grpc-server.ts'
import { requireVisible } from './rights.ts'

const service = gatewayGrpc.GatewayServiceService

export function createGatewayService(context: CallContext): UntypedServiceImplementation {
  return {
    create: serve(context, service.create, (request) => create(context, request.getGateway())),
    get: serve(context, service.get, (request) => {
      const response = new gatewayPb.GetGatewayResponse()
      response.setGateway(requireGateway(context, request.getGatewayId()))
      return response
    }),
    update: serve(context, service.update, (request) => update(context, request.getGateway())),
    delete: serve(context, service.delete, (request) => {
      const gateway = requireGateway(context, request.getGatewayId())
      context.store.gateways.delete(gateway.getGatewayId())
      return undefined
    }),
    list: serve(context, service.list, (request) => list(context, request)),
  }
}

function requireGateway(context: CallContext, id: string): Gateway {
  const gateway = context.store.gateways.get(id.toLowerCase())
  return requireVisible(context, gateway, { id, tenantId: gateway?.getTenantId() })
}

function create(context: CallContext, gateway: Gateway | undefined) {
  if (!gateway) throw invalid('gateway is missing')
  const tenantId = gateway.getTenantId()
  const isKnown = tenantId === context.store.tenantId
  requireVisible(context, isKnown || undefined, { id: tenantId, tenantId })
  checkName(gateway.getName())
  gateway.setGatewayId(gateway.getGatewayId().toLowerCase())
  const { gateways } = context.store
  if (gateways.has(gateway.getGatewayId())) throw duplicate('gateway_pkey')
  gateways.set(gateway.getGatewayId(), gateway)
  return undefined
}

/** A gateway stays in its tenant, even if the request names another one. */
function update(context: CallContext, gateway: Gateway | undefined) {
  if (!gateway) throw invalid('gateway is missing')
  const current = requireGateway(context, gateway.getGatewayId())
  checkName(gateway.getName())
  gateway.setGatewayId(current.getGatewayId())
  gateway.setTenantId(current.getTenantId())
  context.store.gateways.set(gateway.getGatewayId(), gateway)
  return undefined
}

/**
 * In the order of names, unless another one is asked for (chirpstack/src/storage/gateway.rs). Of equal
 * names a database keeps no order from page to page.
 */
function list(context: CallContext, request: ListGatewaysRequest) {
  const matches = [...context.store.gateways.values()].filter(
    (gateway) =>
      gateway.getTenantId() === request.getTenantId() &&
      gateway.getName().toLowerCase().includes(request.getSearch().toLowerCase()),
  )
  const isById = request.getOrderBy() === gatewayPb.ListGatewaysRequest.OrderBy.GATEWAY_ID
  const orderOf = (gateway: Gateway) => (isById ? gateway.getGatewayId() : gateway.getName())
  if (request.getOffset() > 0) matches.reverse()
  matches.sort((one, other) => orderOf(one).localeCompare(orderOf(other)))
  const response = new gatewayPb.ListGatewaysResponse()
  response.setTotalCount(matches.length)
  const offset = request.getOffset()
  for (const gateway of matches.slice(offset, offset + request.getLimit())) {
    const item = new gatewayPb.GatewayListItem()
    item.setGatewayId(gateway.getGatewayId())
    item.setTenantId(gateway.getTenantId())
    item.setName(gateway.getName())
    item.setDescription(gateway.getDescription())
    // A gateway without a location is at 0, 0.
    item.setLocation(gateway.getLocation() ?? new commonPb.Location())
    response.addResult(item)
  }
  return response
}
