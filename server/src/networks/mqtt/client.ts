import { connect as connectSocket } from 'node:net'
import { connect, type IClientOptions, MqttClient } from 'mqtt'
import { NetworkError } from '../network.ts'
import type { Outside } from '../outside.ts'
import { hasPlainHost } from './broker-host.ts'
import { packetLimit, watchPackets } from './packet-limit.ts'

/** Who connects, and how. Where to is told by the URL alone. */
export type ClientOptions = Pick<
  IClientOptions,
  'clean' | 'clientId' | 'connectTimeout' | 'keepalive' | 'protocolVersion' | 'resubscribe'
> & { username?: string | undefined; password?: string | undefined }

/**
 * Begins one connection to a broker, to the host that `outside` has checked: mqtt.js is given its
 * parts, as it would parse the text in another way. `onTooLarge` is called when the broker
 * announces a packet above `packetLimit`, and the connection ends. Throws `NetworkError`, or what
 * mqtt.js throws.
 */
export function openClient(
  address: string,
  { username, password, ...options }: ClientOptions,
  outside: Outside,
  onTooLarge: () => void,
): MqttClient {
  const url = new URL(address)
  if (!hasPlainHost(url)) throw new NetworkError('refused', 'The MQTT broker has no usable host.')
  outside.check(url)
  const login = {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
  }
  const client = createClient(url, { ...options, ...login, reconnectPeriod: 0 }, outside)
  watchPackets(client.stream, packetLimit, () => {
    onTooLarge()
    client.stream.destroy()
  })
  return client
}

function createClient(url: URL, options: IClientOptions, { lookup }: Outside): MqttClient {
  const port = url.port === '' ? undefined : Number(url.port)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (url.protocol === 'mqtt:') {
    // The socket that mqtt.js makes itself takes no `lookup`.
    const client = new MqttClient(
      () => connectSocket({ host, port: port ?? 1883, lookup }),
      options,
    )
    // As with `connect` of mqtt.js: an error that comes before anyone listens is no exception.
    return client.on('error', () => undefined)
  }
  const place = port === undefined ? {} : { port }
  if (url.protocol === 'mqtts:') {
    // The options are those of the socket, too; mqtt.js does not name `lookup`.
    return connect({ ...options, ...place, ...{ lookup }, protocol: 'mqtts', host, hostname: host })
  }
  return connect({
    ...options,
    ...place,
    protocol: url.protocol === 'wss:' ? 'wss' : 'ws',
    host: url.hostname,
    hostname: url.hostname,
    path: `${url.pathname}${url.search}`,
    wsOptions: { lookup, maxPayload: packetLimit },
  })
}
