import applicationGrpc from '@chirpstack/chirpstack-api/api/application_grpc_pb.js'
import applicationPb from '@chirpstack/chirpstack-api/api/application_pb.js'
import deviceProfileGrpc from '@chirpstack/chirpstack-api/api/device_profile_grpc_pb.js'
import deviceProfilePb from '@chirpstack/chirpstack-api/api/device_profile_pb.js'
import { NetworkError } from '../network-error.ts'
import { CallError, isDenied, isMissing } from './call-error.ts'
import type { Session } from './client.ts'

/** Also when a registration finds it: the device is not at fault. */
const ofAccount = { about: 'account' } as const

/** Checks the API key and all three ids; the error says which account field is wrong. */
export async function checkAccess(session: Session): Promise<void> {
  for (const id of session.account.applicationIds) await checkApplication(session, id)
  await checkDeviceProfile(session)
}

/** The id of the tenant that owns an application of the account. */
export async function readOwner(
  { client, account }: Session,
  id = account.applicationId,
): Promise<string> {
  const request = new applicationPb.GetApplicationRequest()
  request.setId(id)
  const response = await client.call(applicationGrpc.ApplicationServiceService.get, request)
  return response.getApplication()?.getTenantId() ?? ''
}

async function checkApplication(session: Session, applicationId: string) {
  const { tenantId } = session.account
  const owner = await readOwner(session, applicationId).catch(async (error) => {
    throw await explainApplication(session, applicationId, error)
  })
  if (owner && owner.toLowerCase() !== tenantId) {
    throw new NetworkError(
      'refused',
      `The application (application_id ${applicationId}) belongs to another tenant than tenant_id ${tenantId}.`,
      ofAccount,
    )
  }
}

/** ChirpStack denies a tenant's key both missing and foreign applications. */
async function explainApplication(
  session: Session,
  applicationId: string,
  error: unknown,
): Promise<unknown> {
  const { tenantId } = session.account
  const missing = new NetworkError(
    'refused',
    `ChirpStack has no application with application_id ${applicationId} that the API key (api_key) may see.`,
    ofAccount,
  )
  if (isMissing(error)) return missing
  if (!isDenied(error)) return error
  const listing = await listApplications(session).catch((failure: unknown) => failure)
  if (!listing) return missing
  if (!isDenied(listing)) return listing
  return new NetworkError(
    'unauthorized',
    `${error instanceof CallError ? error.message : ''} Either the API key (api_key) is wrong, or it does not belong to the tenant (tenant_id ${tenantId}).`,
    ofAccount,
  )
}

async function listApplications({ client, account }: Session): Promise<void> {
  const request = new applicationPb.ListApplicationsRequest()
  request.setTenantId(account.tenantId)
  request.setLimit(1)
  await client.call(applicationGrpc.ApplicationServiceService.list, request)
}

async function checkDeviceProfile({ client, account }: Session) {
  const { tenantId, deviceProfileId } = account
  const request = new deviceProfilePb.GetDeviceProfileRequest()
  request.setId(deviceProfileId)
  const response = await client
    .call(deviceProfileGrpc.DeviceProfileServiceService.get, request)
    .catch((error) => {
      if (!isMissing(error) && !isDenied(error)) throw error
      throw new NetworkError(
        'refused',
        `ChirpStack has no device profile with device_profile_id ${deviceProfileId} that the API key (api_key) may see.`,
        ofAccount,
      )
    })
  const owner = response.getDeviceProfile()?.getTenantId() ?? ''
  if (owner && owner.toLowerCase() !== tenantId) {
    throw new NetworkError(
      'refused',
      `The device profile (device_profile_id ${deviceProfileId}) belongs to another tenant than tenant_id ${tenantId}.`,
      ofAccount,
    )
  }
}
