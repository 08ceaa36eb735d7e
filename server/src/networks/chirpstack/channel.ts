// One channel of @grpc/grpc-js to a server of ChirpStack, and what grpc-js does not do itself.
import type { LookupAddress } from 'node:dns'
import { isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import {
  CallCredentials,
  type ChannelCredentials,
  type ChannelOptions,
  Client,
  connectivityState,
  credentials,
} from '@grpc/grpc-js'
import { NetworkError } from '../network-error.ts'
import type { Outside } from '../outside.ts'

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

export interface Channel {
  client: Client
  /** When it was made, on the clock of `performance.now()`. */
  since: number
  isOpen(): boolean
  /** Bytes that the server has sent so far. */
  heard(): number
  /**
   * Ends it once the calls under way are answered. With `isSilent` nothing is waited for, and what the server has
   * not received is not sent any more: after lost packets, a request that was given up would arrive later.
   */
  close(how?: { isSilent: boolean }): void
}

/** Connects at the first call. Throws `NetworkError` for an address that the account may not call. */
export async function openChannel(server: URL, outside: Outside): Promise<Channel> {
  const [address, options] = await resolveServer(server, outside)
  const sockets = new Set<Socket>()
  let isSilenced = false
  const made = noteSockets(credentialsFor(server), (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    if (isSilenced) socket.resetAndDestroy()
  })
  const client = new Client(address, made, options)
  const isOpen = () => client.getChannel().getConnectivityState(false) === connectivityState.READY
  return {
    client,
    since: performance.now(),
    isOpen,
    heard: () => [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, 0),
    // grpc-js would leave a connection open on which the server has said nothing yet.
    close({ isSilent } = { isSilent: !isOpen() }) {
      client.close()
      isSilenced = isSilent
      if (isSilent) for (const socket of sockets) socket.resetAndDestroy()
    },
  }
}

/** Tells of each socket that is connected, before TLS. */
function noteSockets(made: ChannelCredentials, note: (socket: Socket) => void): ChannelCredentials {
  const create = made._createSecureConnector.bind(made)
  made._createSecureConnector = (...words) => {
    const connector = create(...words)
    const connect = connector.connect.bind(connector)
    connector.connect = (socket) => {
      note(socket)
      return connect(socket)
    }
    return connector
  }
  return made
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
