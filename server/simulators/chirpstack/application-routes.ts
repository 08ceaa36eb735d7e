// The calls of ApplicationService that an account needs, api/proto/api/application.proto.

import applicationGrpc from '@chirpstack/chirpstack-api/api/application_grpc_pb.js'
import applicationPb, {
  type HttpIntegration,
} from '@chirpstack/chirpstack-api/api/application_pb.js'
import { status, type UntypedServiceImplementation } from '@grpc/grpc-js'
import { type CallContext, duplicate, invalid, StatusError, serve } from './grpc-server.ts'
import { requireApplication, requireVisible } from './rights.ts'
import type { StoredApplication } from './store.ts'

const applications = applicationGrpc.ApplicationServiceService

export function createApplicationService(context: CallContext): UntypedServiceImplementation {
  const { integrations } = context.store
  return {
    get: serve(context, applications.get, (request) => {
      const { id, tenantId, name } = requireApplication(context, request.getId())
      const application = new applicationPb.Application()
      application.setId(id)
      application.setTenantId(tenantId)
      application.setName(name)
      const response = new applicationPb.GetApplicationResponse()
      response.setApplication(application)
      return response
    }),
    list: serve(context, applications.list, (request) => {
      const owned = listOwned(context, context.store.applications, request.getTenantId())
      const response = new applicationPb.ListApplicationsResponse()
      response.setTotalCount(owned.length)
      for (const { id, name } of owned.slice(request.getOffset()).slice(0, request.getLimit())) {
        const item = new applicationPb.ApplicationListItem()
        item.setId(id)
        item.setName(name)
        response.addResult(item)
      }
      return response
    }),
    getHttpIntegration: serve(context, applications.getHttpIntegration, (request) =>
      readIntegration(context, request.getApplicationId()),
    ),
    createHttpIntegration: serve(context, applications.createHttpIntegration, (request) =>
      writeIntegration(context, request.getIntegration(), { isNew: true }),
    ),
    updateHttpIntegration: serve(context, applications.updateHttpIntegration, (request) =>
      writeIntegration(context, request.getIntegration(), { isNew: false }),
    ),
    deleteHttpIntegration: serve(context, applications.deleteHttpIntegration, (request) => {
      requireApplication(context, request.getApplicationId())
      integrations.delete(request.getApplicationId())
      return undefined
    }),
  }
}

export function listOwned<Item extends StoredApplication>(
  context: CallContext,
  stored: Map<string, Item>,
  tenantId: string,
): Item[] {
  const isKnown = tenantId === context.store.tenantId
  requireVisible(context, isKnown || undefined, { id: tenantId, tenantId })
  return [...stored.values()].filter((item) => item.tenantId === tenantId)
}

function readIntegration(context: CallContext, applicationId: string) {
  requireApplication(context, applicationId)
  const stored = context.store.integrations.get(applicationId)
  if (!stored)
    throw new StatusError(status.NOT_FOUND, `Object does not exist (id: ${applicationId})`)
  const integration = new applicationPb.HttpIntegration()
  integration.setApplicationId(applicationId)
  integration.setEventEndpointUrl(stored.url)
  const headers = integration.getHeadersMap()
  for (const [name, value] of Object.entries(stored.headers)) headers.set(name, value)
  const { Encoding } = applicationPb
  integration.setEncoding(stored.isJson ? Encoding.JSON : Encoding.PROTOBUF)
  const response = new applicationPb.GetHttpIntegrationResponse()
  response.setIntegration(integration)
  return response
}

/** An application has one integration of each kind: chirpstack/src/storage/application.rs. */
function writeIntegration(
  context: CallContext,
  integration: HttpIntegration | undefined,
  { isNew }: { isNew: boolean },
) {
  if (!integration) throw invalid('integration is missing')
  const id = integration.getApplicationId()
  requireApplication(context, id)
  const { integrations } = context.store
  if (isNew && integrations.has(id)) throw duplicate('application_integration_pkey')
  if (!isNew && !integrations.has(id)) {
    throw new StatusError(status.NOT_FOUND, `Object does not exist (id: ${id})`)
  }
  const headers: Record<string, string> = {}
  integration.getHeadersMap().forEach((value: string, name: string) => {
    headers[name] = value
  })
  const isJson = integration.getEncoding() === applicationPb.Encoding.JSON
  integrations.set(id, { url: integration.getEventEndpointUrl(), headers, isJson })
  return undefined
}
