import type { EventEmitter } from 'node:events'
import type { ClientRequest } from 'node:http'
import { connect as connectSocket } from 'node:net'
import type { Duplex, Writable } from 'node:stream'
import { connect, type IClientOptions, MqttClient, type StreamBuilder } from 'mqtt'
import { plainReason } from '../error-words.ts'
import { NetworkError } from '../network-error.ts'
import type { Outside } from '../outside.ts'
import { type BrokerSource, hasPlainHost } from './broker.ts'
import {
  type ArrivalRules,
  createMinuteLimit,
  createPacketGuard,
  packetLimit,
} from './packet-guard.ts'

/** Everything but the address. */
type ClientOptions = Pick<
  IClientOptions,
  'clean' | 'clientId' | 'connectTimeout' | 'keepalive' | 'protocolVersion' | 'resubscribe'
> &
  Partial<Record<'username' | 'password' | 'ca' | 'cert' | 'key', string | undefined>>

/** Decides what a broker may send. */
interface Guarding {
  rules?: ArrivalRules
  /** Called once with the reason when the connection ends because of what arrived. */
  onRefused(trouble: NetworkError): void
}

/** Control frames and empty messages of a WebSocket that a broker may send in a minute. */
const framesPerMinute = 60

/**
 * Starts one connection to a broker, at the host that `outside` has checked: mqtt.js gets the parts
 * of the address, because it would parse the text differently. What arrives goes through a packet
 * guard. Throws `NetworkError`, or what mqtt.js throws.
 */
export function openClient(
  address: string,
  { username, password, ca, cert, key, ...options }: ClientOptions,
  outside: Outside,
  { rules = {}, onRefused }: Guarding,
): MqttClient {
  const url = new URL(address)
  if (!hasPlainHost(url)) throw new NetworkError('refused', 'The MQTT broker has no usable host.')
  outside.check(url)
  const login = withoutMissing({ username, password })
  const tls = withoutMissing({ ca, cert, key })
  const given = { ...options, ...login, reconnectPeriod: 0, manualConnect: true }
  const refuse = (words: string) => {
    onRefused(unreachable(words))
    client.stream.destroy()
  }
  const client = createClient(url, given, { tls, outside, refuse })
  guardStream(client, (stream, parser) => createPacketGuard(stream, parser, rules, refuse))
  client.connect()
  return client
}

/** mqtt.js pipes what its stream builder returns into its parser. */
function guardStream(
  client: MqttClient,
  guard: (...args: [stream: Duplex, parser: NodeJS.WritableStream]) => Writable,
): void {
  const inner = client as unknown as { streamBuilder: StreamBuilder }
  const build = inner.streamBuilder
  inner.streamBuilder = (...args) => {
    const stream = build(...args)
    const pipe = stream.pipe.bind(stream)
    stream.pipe = (parser) => {
      pipe(guard(stream, parser))
      return parser
    }
    return stream
  }
}

function withoutMissing(members: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
}

interface Calling {
  tls: Record<string, string>
  outside: Outside
  refuse(words: string): void
}

function createClient(
  url: URL,
  options: IClientOptions,
  { tls, outside, refuse }: Calling,
): MqttClient {
  const { lookup } = outside
  const port = url.port === '' ? undefined : Number(url.port)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (url.protocol === 'mqtt:') {
    // The socket that mqtt.js would make takes no `lookup`.
    const client = new MqttClient(
      () => connectSocket({ host, port: port ?? 1883, lookup }),
      options,
    )
    // As `connect` of mqtt.js does: an error before anyone listens throws no exception.
    return client.on('error', () => undefined)
  }
  const place = port === undefined ? {} : { port }
  if (url.protocol === 'mqtts:') {
    // mqtt.js hands its options to the socket; its types do not name `lookup`.
    const socket = { ...tls, lookup }
    return connect({ ...options, ...place, ...socket, protocol: 'mqtts', host, hostname: host })
  }
  return connect({
    ...options,
    ...place,
    protocol: url.protocol === 'wss:' ? 'wss' : 'ws',
    host: url.hostname,
    hostname: url.hostname,
    path: `${url.pathname}${url.search}`,
    wsOptions: { ...tls, ...boundFrames(refuse), lookup, maxPayload: packetLimit },
  })
}

/**
 * Options of a WebSocket that handle one frame in a turn of the event loop, bound the frames that
 * carry nothing, and decompress nothing: the threads for that are shared by all connections.
 */
function boundFrames(refuse: (words: string) => void) {
  const mayCome = createMinuteLimit(framesPerMinute)
  const count = (isMessage: boolean) => (data: Buffer) => {
    if (isMessage && data.length > 0) return
    if (!mayCome()) refuse('The MQTT broker sends WebSocket frames without content.')
  }
  return {
    allowSynchronousEvents: false,
    perMessageDeflate: false,
    // Here, because mqtt.js gives access to the WebSocket nowhere else.
    finishRequest: (request: ClientRequest, socket: EventEmitter) => {
      for (const frame of ['ping', 'pong']) socket.on(frame, count(false))
      socket.on('message', count(true))
      request.end()
    },
  }
}

/**
 * CONNACK: bad user name or password, and not authorized (MQTT 3.1.1, section 3.2.2.3; MQTT 5,
 * section 3.2.2.2).
 */
const loginCodes: readonly unknown[] = [4, 5, 134, 135]

/** Explains an error of the MQTT client to the account's owner. */
export function toTrouble(error: Error & { code?: unknown }): NetworkError {
  const { code } = error
  if (typeof code === 'number') {
    const words = error.message.replace(/^Connection refused: /, '')
    return loginCodes.includes(code)
      ? unauthorized(`The MQTT broker refused the login: ${words}.`)
      : unreachable(`The MQTT broker refused the connection: ${words}.`)
  }
  // AWS refuses the WebSocket if the signature is wrong.
  const [, status] = /^Unexpected server response: (40[13])$/.exec(error.message) ?? []
  if (status) return unauthorized(`The MQTT broker refused the login: it answered ${status}.`)
  if (/^(connack|keepalive) timeout$/i.test(error.message)) {
    return unreachable('The MQTT broker does not answer.')
  }
  // For a name with several addresses Node gives only the code.
  const reason = plainReason(error.message || String(code ?? error.name))
  return unreachable(`The MQTT broker could not be reached: ${reason}.`)
}

export function unreachable(words: string): NetworkError {
  return new NetworkError('unreachable', words, { about: 'account', isUndone: true })
}

export function unauthorized(words: string): NetworkError {
  return new NetworkError('unauthorized', words, { about: 'account' })
}

const timeoutMs = 5_000

type Probed = Pick<BrokerSource, 'url' | 'sign' | 'username' | 'password' | 'outside'> & {
  /** Random by default. The session that the broker keeps for it is ended. */
  clientId?: string
}

/** Proves that a broker lets the account in. Throws `NetworkError`. */
export async function probeBroker(probed: Probed): Promise<void> {
  const { url, sign, username, password, clientId, outside } = probed
  const options = {
    username,
    password,
    ...(clientId === undefined ? {} : { clientId }),
    protocolVersion: 4 as const,
    clean: true,
    connectTimeout: timeoutMs,
  }
  try {
    const refusal = Promise.withResolvers<never>()
    const guarding = { onRefused: refusal.reject }
    const client = openClient(sign?.() ?? url, options, outside, guarding)
    await Promise.race([refusal.promise, connected(client)]).finally(() => client.endAsync(true))
  } catch (error) {
    if (error instanceof NetworkError) throw error
    throw toTrouble(error instanceof Error ? error : new Error('unknown error'))
  }
}

function connected(client: MqttClient): Promise<void> {
  return new Promise((resolve, reject) => {
    client.once('connect', () => resolve())
    client.once('error', reject)
    // mqtt.js passes on errors of sockets, but not that a WebSocket is refused.
    client.stream.once('error', reject)
    client.once('close', () => reject(new Error('it closed the connection')))
  })
}
