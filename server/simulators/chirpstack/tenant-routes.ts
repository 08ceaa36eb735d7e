// TenantService, api/proto/api/tenant.proto. Its answers are those of chirpstack/src/api/tenant.rs.
import tenantGrpc from '@chirpstack/chirpstack-api/api/tenant_grpc_pb.js'
import tenantPb from '@chirpstack/chirpstack-api/api/tenant_pb.js'
import type { UntypedServiceImplementation } from '@grpc/grpc-js'
import { type CallContext, serve } from './grpc-server.ts'
import { denied } from './rights.ts'

const service = tenantGrpc.TenantServiceService

export function createTenantService(context: CallContext): UntypedServiceImplementation {
  const { keyKind, store } = context
  return {
    list: serve(context, service.list, (request) => {
      if (keyKind === 'tenant') throw denied()
      const response = new tenantPb.ListTenantsResponse()
      response.setTotalCount(1)
      if (request.getOffset() > 0 || request.getLimit() === 0) return response
      const item = new tenantPb.TenantListItem()
      item.setId(store.tenantId)
      item.setName('Simulated tenant')
      response.addResult(item)
      return response
    }),
  }
}
