// Calls ChirpStack's gRPC API over one channel. Every failure is a `CallError`.
import type { LookupAddress } from 'node:dns'
import { isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import {
  CallCredentials,
  type CallOptions,
  type ChannelCredentials,
  type ChannelOptions,
  Client,
  connectivityState,
  credentials,
  Metadata,
  type MethodDefinition,
  status,
} from '@grpc/grpc-js'
import type { AccountValues, ConnectionOptions } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import type { Outside } from '../outside.ts'
import { callInPace } from '../pace.ts'
import { applicationIds } from './application-ids.ts'
import { CallError, toCallError } from './call-error.ts'
import type { ModelProfile, Profile } from './device-profile.ts'

interface ChirpStackClient {
  /** Throws `CallError`. */
  call<Request, Response>(
    method: MethodDefinition<Request, Response>,
    request: Request,
  ): Promise<Response>
  close(): void
}

/** The account's values under our own names. */
interface ChirpStackAccount {
  server: URL
  apiKey: string
  tenantId: string
  /** Where new devices go. */
  applicationId: string
  /** All whose devices are the account's. */
  applicationIds: readonly string[]
  deviceProfileId: string
}

/** Takes values without faults. */
function readAccount(values: AccountValues): ChirpStackAccount {
  return {
    server: new URL(values.server ?? ''),
    apiKey: values.api_key ?? '',
    tenantId: (values.tenant_id ?? '').toLowerCase(),
    applicationId: (values.application_id ?? '').toLowerCase(),
    applicationIds: applicationIds(values),
    deviceProfileId: (values.device_profile_id ?? '').toLowerCase(),
  }
}

/** What the calls of one account share. */
export interface Session {
  client: ChirpStackClient
  account: ChirpStackAccount
  /** `checkAccess` has found nothing wrong. */
  isProven: boolean
  /** Device profiles by id, and when they were read. */
  profiles: Map<string, Profile & { readAt: number }>
  /** What was found and made for models (model-profiles.ts), and when it was asked for. */
  modelProfiles: Map<string, { answer: Promise<ModelProfile | undefined>; readAt: number }>
  close(): void
}

export function openSession(
  values: AccountValues,
  outside: Outside,
  options?: ConnectionOptions,
): Session {
  const account = readAccount(values)
  const client = openClient(account, outside, options)
  const known = { profiles: new Map(), modelProfiles: new Map() }
  return { account, client, isProven: false, ...known, close: () => client.close() }
}

const defaultDeadlineMs = 5_000
/**
 * How many deadlines a connection may take to open: a slow one needs more than that of a call. It makes the 20 s
 * of gRPC (doc/connection-backoff.md, MIN_CONNECT_TIMEOUT), of which grpc-js knows nothing.
 */
const deadlinesToOpen = 4
const messageLimit = 4 * 1024 * 1024

const channelOptions = {
  'grpc.max_receive_message_length': messageLimit,
  'grpc.max_send_message_length': messageLimit,
  'grpc.service_config_disable_resolution': 1,
  // It would read http_proxy and the like, which are no settings of this service.
  'grpc.enable_http_proxy': 0,
  // By default a server that is back is tried again after up to two minutes.
  'grpc.initial_reconnect_backoff_ms': 500,
  'grpc.max_reconnect_backoff_ms': 5_000,
  // Otherwise another client would get the connection that the former one gave up.
  'grpc.use_local_subchannel_pool': 1,
}

/** Opens nothing by itself: the first call does. `deadlineMs` is for each call. */
function openClient(
  account: ChirpStackAccount,
  outside: Outside,
  { deadlineMs = defaultDeadlineMs }: ConnectionOptions = {},
): ChirpStackClient {
  const { server, apiKey } = account
  const metadata = new Metadata()
  metadata.set('authorization', `Bearer ${apiKey}`)
  let opened: Promise<Channel> | undefined
  let isClosed = false
  /** Makes the next call resolve the name and connect again: the server may have moved. */
  const forget = () => {
    void opened?.then(closeChannel).catch(() => {})
    opened = undefined
  }
  const callNow: ChirpStackClient['call'] = async (method, request) => {
    if (isClosed) {
      const details = { about: 'account', isUndone: true } as const
      throw new NetworkError('unreachable', 'The connection is closed.', details)
    }
    opened ??= openChannel(server, outside)
    const current = opened
    const channel = await current.catch((error) => {
      if (opened === current) opened = undefined
      throw error
    })
    const options: CallOptions = { deadline: Date.now() + deadlineMs }
    try {
      return await callOnce(channel.client, method, request, { metadata, options, server, apiKey })
    } catch (error) {
      if (opened === current && isGone(error, channel, deadlineMs)) forget()
      throw error
    }
  }
  return {
    // The wait comes first: a call that waits holds no channel, which might be closed meanwhile.
    call: (method, request) => callInPace(outside.pace, () => callNow(method, request)),
    close: () => {
      isClosed = true
      forget()
    },
  }
}

interface Channel {
  client: Client
  sockets: ReadonlySet<Socket>
  /** On the clock of `performance.now()`. */
  since: number
}

async function openChannel(server: URL, outside: Outside): Promise<Channel> {
  const [address, options] = await resolveServer(server, outside)
  const sockets = new Set<Socket>()
  const client = new Client(address, noteSockets(credentialsFor(server), sockets), options)
  return { client, sockets, since: performance.now() }
}

/** Has the calls under way answered. */
function closeChannel({ client, sockets }: Channel): void {
  const wasOpen = isOpen(client)
  client.close()
  // A connection on which the server has said nothing yet is left open by grpc-js.
  if (!wasOpen) for (const socket of sockets) socket.destroy()
}

function noteSockets(made: ChannelCredentials, sockets: Set<Socket>): ChannelCredentials {
  const create = made._createSecureConnector.bind(made)
  made._createSecureConnector = (...words) => {
    const connector = create(...words)
    const connect = connector.connect.bind(connector)
    connector.connect = (socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      return connect(socket)
    }
    return connector
  }
  return made
}

function isOpen(client: Client): boolean {
  return client.getChannel().getConnectivityState(false) === connectivityState.READY
}

/**
 * Without an answer in time, an open connection may be silent for ever: nothing else would tell it. One
 * that is still being opened goes on, unless it is late.
 */
function isGone(error: unknown, { client, since }: Channel, deadlineMs: number): boolean {
  if (!(error instanceof CallError)) return false
  if (error.code === status.UNAVAILABLE) return true
  if (error.code !== status.DEADLINE_EXCEEDED) return false
  return isOpen(client) || performance.now() - since >= deadlinesToOpen * deadlineMs
}

function credentialsFor(server: URL): ChannelCredentials {
  if (server.protocol !== 'https:') return credentials.createInsecure()
  const host = hostOf(server)
  return isIP(host) === 0 ? credentials.createSsl() : credentialsForAddress(host)
}

/**
 * TLS to an IP address. @grpc/grpc-js always sends the host as the server name, and Node refuses
 * that because an address is no server name (RFC 6066, section 3). The certificate must name the
 * address.
 */
function credentialsForAddress(host: string): ChannelCredentials {
  const secure = credentials.createSsl()
  secure._createSecureConnector = (_target, _options, callCredentials) => ({
    connect: (socket) =>
      new Promise((resolve, reject) => {
        const secured = connectTls({ socket, host, ALPNProtocols: ['h2'] }, () =>
          resolve({ socket: secured, secure: true }),
        )
        secured.on('error', reject)
      }),
    waitForReady: () => Promise.resolve(),
    getCallCredentials: () => callCredentials ?? CallCredentials.createEmpty(),
    destroy: () => {},
  })
  return secure
}

/** Without the brackets of IPv6. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/**
 * Resolves the server's name in place of the channel, so that it connects only to addresses that an
 * account may call. The certificate must still be that of the name.
 */
async function resolveServer(server: URL, outside: Outside): Promise<[string, ChannelOptions]> {
  outside.check(server)
  const port = server.port || (server.protocol === 'https:' ? '443' : '80')
  const host = hostOf(server)
  if (isIP(host) !== 0) return [`${server.hostname}:${port}`, channelOptions]
  const addresses = await new Promise<LookupAddress[]>((resolve, reject) => {
    outside.lookup(host, { all: true }, (error, found) => {
      if (error) reject(unresolved(error, server))
      else resolve(Array.isArray(found) ? found : [])
    })
  })
  const [first] = addresses
  const alike = addresses.filter(({ family }) => family === first?.family)
  const isVersion6 = first?.family === 6
  const targets = alike.map(({ address }) =>
    isVersion6 ? `[${address}]:${port}` : `${address}:${port}`,
  )
  const names = {
    'grpc.default_authority': `${host}:${port}`,
    'grpc.ssl_target_name_override': host,
  }
  return [`ipv${isVersion6 ? 6 : 4}:${targets.join(',')}`, { ...channelOptions, ...names }]
}

function unresolved(error: Error, server: URL): NetworkError {
  if (error instanceof NetworkError) return error
  const message = `ChirpStack at ${server.origin} could not be reached: ${error.message}.`
  return new NetworkError('unreachable', message, { isUndone: true, about: 'account' })
}

function callOnce<Request, Response>(
  client: Client,
  { path, requestSerialize, responseDeserialize }: MethodDefinition<Request, Response>,
  request: Request,
  {
    metadata,
    options,
    server,
    apiKey,
  }: { metadata: Metadata; options: CallOptions; server: URL; apiKey: string },
): Promise<Response> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      metadata,
      options,
      (error, response) =>
        error || response === undefined
          ? reject(toCallError(error, server, apiKey))
          : resolve(response),
    )
  })
}
