// The lists from which an account is chosen: api/proto/api/{tenant,application,device_profile}.proto.
import applicationGrpc from '@chirpstack/chirpstack-api/api/application_grpc_pb.js'
import applicationPb from '@chirpstack/chirpstack-api/api/application_pb.js'
import deviceProfileGrpc from '@chirpstack/chirpstack-api/api/device_profile_grpc_pb.js'
import deviceProfilePb from '@chirpstack/chirpstack-api/api/device_profile_pb.js'
import tenantGrpc from '@chirpstack/chirpstack-api/api/tenant_grpc_pb.js'
import tenantPb from '@chirpstack/chirpstack-api/api/tenant_pb.js'
import { choicesBy, toChoice } from '../choices.ts'
import type { Choice } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { readPages } from '../pages.ts'
import { CallError, isDenied } from './call-error.ts'
import type { Session } from './client.ts'

export const listChoices = choicesBy<Session>({
  tenant_id: listTenants,
  application_id: listApplications,
  more_application_ids: listApplications,
  device_profile_id: listDeviceProfiles,
})

const pageSize = 100

interface Answer {
  getTotalCount(): number
  getResultList(): { getId(): string; getName(): string }[]
}

function listPages(read: (offset: number) => Promise<Answer>): AsyncGenerator<Choice[]> {
  return readPages('ChirpStack', async (page) => {
    const answer = await read((page - 1) * pageSize)
    const items = answer.getResultList().map((item) => toChoice(item.getId(), item.getName()))
    const isLast = items.length === 0 || page * pageSize >= answer.getTotalCount()
    return { items, isLast }
  })
}

function listTenants({ client }: Session): AsyncGenerator<Choice[]> {
  return listPages(async (offset) => {
    const request = new tenantPb.ListTenantsRequest()
    request.setLimit(pageSize)
    request.setOffset(offset)
    return client.call(tenantGrpc.TenantServiceService.list, request).catch(explainTenants)
  })
}

/** ChirpStack lists tenants for administrators' keys only (chirpstack/src/api/auth/validator.rs). */
function explainTenants(error: unknown): never {
  // A key that ChirpStack does not know is about the account.
  if (!isDenied(error) || (error instanceof CallError && error.about === 'account')) throw error
  throw new NetworkError(
    'unauthorized',
    "This is a tenant's API key, and ChirpStack lists tenants for an administrator's key only. Copy the tenant ID from the top of the tenant's page.",
  )
}

function listApplications({ client, account }: Session): AsyncGenerator<Choice[]> {
  return listPages((offset) => {
    const request = new applicationPb.ListApplicationsRequest()
    request.setTenantId(account.tenantId)
    request.setLimit(pageSize)
    request.setOffset(offset)
    return client.call(applicationGrpc.ApplicationServiceService.list, request)
  })
}

function listDeviceProfiles({ client, account }: Session): AsyncGenerator<Choice[]> {
  return listPages((offset) => {
    const request = new deviceProfilePb.ListDeviceProfilesRequest()
    request.setTenantId(account.tenantId)
    request.setLimit(pageSize)
    request.setOffset(offset)
    return client.call(deviceProfileGrpc.DeviceProfileServiceService.list, request)
  })
}
