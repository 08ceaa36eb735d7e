// The HTTP integration of an application, api/proto/api/application.proto.
import applicationGrpc from '@chirpstack/chirpstack-api/api/application_grpc_pb.js'
import applicationPb, {
  type HttpIntegration,
} from '@chirpstack/chirpstack-api/api/application_pb.js'
import type { Callback } from '../network.ts'
import { isDenied, isMissing } from './call-error.ts'
import type { Session } from './client.ts'

const service = applicationGrpc.ApplicationServiceService

/**
 * Adds our address to the application's HTTP integration, of which it has one, and keeps the
 * others in it: ChirpStack posts to each of a list of addresses, separated by commas, with the
 * same headers (chirpstack/src/integration/http.rs).
 */
export async function setCallback(session: Session, callback: Callback): Promise<void> {
  const found = await readIntegration(session)
  const integration = found ?? createIntegration(session)
  const others = addressesOf(integration).filter((url) => url !== callback.url)
  integration.setEventEndpointUrl([...others, callback.url].join(','))
  integration.getHeadersMap().set(callback.header, callback.value)
  await write(session, integration, found !== undefined)
}

export async function removeCallback(session: Session, callback: Callback): Promise<void> {
  const integration = await readIntegration(session)
  if (!integration) return
  const addresses = addressesOf(integration)
  const others = addresses.filter((url) => url !== callback.url)
  if (others.length === addresses.length) return
  if (others.length === 0) return remove(session)
  integration.setEventEndpointUrl(others.join(','))
  integration.getHeadersMap().del(callback.header)
  await write(session, integration, true)
}

function addressesOf(integration: HttpIntegration): string[] {
  return integration
    .getEventEndpointUrl()
    .split(',')
    .flatMap((url) => url.trim() || [])
}

/** Undefined where the application has none. */
async function readIntegration(session: Session): Promise<HttpIntegration | undefined> {
  const request = new applicationPb.GetHttpIntegrationRequest()
  request.setApplicationId(session.account.applicationId)
  try {
    return (await session.client.call(service.getHttpIntegration, request)).getIntegration()
  } catch (error) {
    // A tenant's key is denied what does not exist, too; a bad key is denied the next call.
    if (isMissing(error) || isDenied(error)) return undefined
    throw error
  }
}

function createIntegration({ account }: Session): HttpIntegration {
  const integration = new applicationPb.HttpIntegration()
  integration.setApplicationId(account.applicationId)
  integration.setEncoding(applicationPb.Encoding.JSON)
  return integration
}

async function write({ client }: Session, integration: HttpIntegration, isKnown: boolean) {
  if (isKnown) {
    const request = new applicationPb.UpdateHttpIntegrationRequest()
    request.setIntegration(integration)
    await client.call(service.updateHttpIntegration, request)
    return
  }
  const request = new applicationPb.CreateHttpIntegrationRequest()
  request.setIntegration(integration)
  await client.call(service.createHttpIntegration, request)
}

async function remove({ client, account }: Session) {
  const request = new applicationPb.DeleteHttpIntegrationRequest()
  request.setApplicationId(account.applicationId)
  await client.call(service.deleteHttpIntegration, request)
}
