// The HTTP integration of an application, api/proto/api/application.proto.
import applicationGrpc from '@chirpstack/chirpstack-api/api/application_grpc_pb.js'
import applicationPb, {
  type HttpIntegration,
} from '@chirpstack/chirpstack-api/api/application_pb.js'
import type { Callback, CallbackState } from '../network.ts'
import { isDenied, isDuplicate, isMissing } from './call-error.ts'
import type { Session } from './client.ts'

const service = applicationGrpc.ApplicationServiceService

/** All accounts used this header before each had its own. */
const formerHeader = 'x-callback-secret'

/** Sets it in each application of the account. */
export async function setCallback(session: Session, callback: Callback): Promise<void> {
  for (const id of session.account.applicationIds) await setIn(session, id, callback)
}

/** The fault of the first application that has one. Without a fault, everything else to report. */
export async function readCallback(session: Session, callback: Callback): Promise<CallbackState> {
  const words = new Set<string>()
  for (const id of session.account.applicationIds) {
    const found = await readIn(session, id, callback)
    if (found.state !== 'set') return found
    if (found.words) words.add(found.words)
  }
  return { state: 'set', words: [...words].join(' ') }
}

export async function removeCallback(session: Session, callback: Callback): Promise<void> {
  for (const id of session.account.applicationIds) await removeFrom(session, id, callback)
}

/**
 * Adds our address to the application's one HTTP integration and keeps its other addresses.
 * ChirpStack posts to each address of a list, separated by commas, with the same headers and the
 * same encoding (chirpstack/src/integration/http.rs).
 */
async function setIn(session: Session, application: string, callback: Callback): Promise<void> {
  const found = await readIntegration(session, application)
  const integration = found ?? createIntegration(application)
  const others = addressesOf(integration).filter((url) => url !== callback.url)
  integration.setEventEndpointUrl([...others, callback.url].join(','))
  removeHeaders(integration, callback)
  integration.getHeadersMap().set(callback.header, callback.value)
  if (isOurs(integration, callback)) integration.setEncoding(applicationPb.Encoding.JSON)
  try {
    await write(session, integration, found !== undefined)
  } catch (error) {
    if (found || !isDuplicate(error)) throw error
    // Another account created it meanwhile.
    return setIn(session, application, callback)
  }
}

async function readIn(
  session: Session,
  application: string,
  callback: Callback,
): Promise<CallbackState> {
  const integration = await readIntegration(session, application)
  if (!integration || !addressesOf(integration).includes(callback.url)) {
    const words = 'The HTTP integration of the application does not send to the callback.'
    return { state: 'missing', words }
  }
  if (integration.getHeadersMap().get(callback.header) !== callback.value) {
    const words = `The HTTP integration of the application does not send the header ${callback.header} as it was set.`
    return { state: 'changed', words }
  }
  const isJson = integration.getEncoding() === applicationPb.Encoding.JSON
  if (!isJson && isOurs(integration, callback)) {
    const words = 'The HTTP integration of the application sends in Protobuf.'
    return { state: 'changed', words }
  }
  return { state: 'set', words: describe(foreignIn(integration, callback), isJson) }
}

async function removeFrom(session: Session, application: string, callback: Callback) {
  const integration = await readIntegration(session, application)
  if (!integration) return
  const addresses = addressesOf(integration)
  const others = addresses.filter((url) => url !== callback.url)
  const isChanged = removeHeaders(integration, callback) || others.length < addresses.length
  if (!isChanged) return
  if (others.length === 0) return remove(session, application)
  integration.setEventEndpointUrl(others.join(','))
  await write(session, integration, true)
}

/** Tells the owner about other addresses in the integration. */
function describe(foreign: readonly string[], isJson: boolean): string {
  if (foreign.length === 0) return ''
  const hosts = [...new Set(foreign.map((url) => URL.parse(url)?.host ?? 'one that is no URL'))]
  const named = hosts.slice(0, mostNamed).join(', ')
  const more = hosts.length > mostNamed ? ` and ${hosts.length - mostNamed} more` : ''
  const words = `The HTTP integration of the application also sends to other addresses (${named}${more}): they get the secret of this callback with every event, and the callback gets their headers.`
  if (isJson) return words
  return `The HTTP integration of the application sends in Protobuf, which the callback does not read: every event is refused. Please set its encoding to JSON, which its other addresses then get too. ${words}`
}

const mostNamed = 3

/** Addresses of the integration that are not callbacks of this service. */
function foreignIn(integration: HttpIntegration, { url }: Callback): string[] {
  const ours = url.slice(0, url.lastIndexOf('/') + 1)
  return addressesOf(integration).filter((other) => !other.startsWith(ours))
}

function isOurs(integration: HttpIntegration, callback: Callback): boolean {
  return foreignIn(integration, callback).length === 0
}

/** Removes our header, in any case; returns whether there was one. */
function removeHeaders(integration: HttpIntegration, { header, value }: Callback): boolean {
  const headers = integration.getHeadersMap()
  const names = [...headers.keys()].filter((name) => {
    const isFormer = name.toLowerCase() === formerHeader && headers.get(name) === value
    return isFormer || name.toLowerCase() === header.toLowerCase()
  })
  for (const name of names) headers.del(name)
  return names.length > 0
}

function addressesOf(integration: HttpIntegration): string[] {
  return integration
    .getEventEndpointUrl()
    .split(',')
    .flatMap((url) => url.trim() || [])
}

/** Undefined if the application has none. */
async function readIntegration(
  session: Session,
  application: string,
): Promise<HttpIntegration | undefined> {
  const request = new applicationPb.GetHttpIntegrationRequest()
  request.setApplicationId(application)
  try {
    return (await session.client.call(service.getHttpIntegration, request)).getIntegration()
  } catch (error) {
    // The key of a tenant is also denied what does not exist; a wrong key fails at the next call.
    if (isMissing(error) || isDenied(error)) return undefined
    throw error
  }
}

function createIntegration(application: string): HttpIntegration {
  const integration = new applicationPb.HttpIntegration()
  integration.setApplicationId(application)
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

async function remove({ client }: Session, application: string) {
  const request = new applicationPb.DeleteHttpIntegrationRequest()
  request.setApplicationId(application)
  await client.call(service.deleteHttpIntegration, request)
}
