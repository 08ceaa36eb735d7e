import { createConcurrencyLimit } from '../../../http/concurrency-limit.ts'
import type { PublishTarget } from '../../../networks/mqtt/open-publisher.ts'
import type { MqttVersion, Publisher } from '../../../networks/mqtt/publisher.ts'
import { NetworkError } from '../../../networks/network-error.ts'
import type { Outside } from '../../../networks/outside.ts'
import { atOnce } from './send-portion.ts'

/** The broker of one webhook. */
export interface BrokerTarget {
  /** Tells webhooks apart. */
  key: string
  /** Another version of the same webhook gets another connection. */
  version: string
  /** The portion of events that is being sent. */
  portion: string
  target: PublishTarget
}

export interface BrokerConnection {
  version: string
  /** The portion for which it was begun. */
  portion: string
  opened: Promise<Opened>
  /** Known when it is opened. */
  publisher: Publisher | undefined
  /** Known when it could not be opened. */
  trouble: NetworkError | undefined
  inUse: number
  idle: NodeJS.Timeout | undefined
}

interface Opened {
  publisher: Publisher
  /** Holds messages to what the broker lets be on their way. */
  limit: ReturnType<typeof createConcurrencyLimit>
}

/** The connections of this process: one for each webhook, while it has something to send. */
export interface BrokerConnections {
  /**
   * The connection of a webhook, for one message. One that has ended is made again only
   * for another portion; until then it throws its `NetworkError`.
   */
  take(broker: BrokerTarget): BrokerConnection
  /** The message is sent, or failed. */
  give(broker: BrokerTarget, connection: BrokerConnection): void
  /** A connection that no other message uses. End it by `drop`. */
  connect(broker: BrokerTarget): BrokerConnection
  drop(key: string, connection: BrokerConnection, reason: string): void
  close(): void
}

/** Shorter than the lease of a webhook (`idleLeaseSeconds`), so that no two processes are connected. */
const idleTime = 20_000
/** Connections of this process; the one that has been idle longest ends for a new one. */
const mostOpen = 1_000

export function createBrokerConnections(outside: Outside): BrokerConnections {
  const connections = new Map<string, BrokerConnection>()
  const connect = createConnect(outside)
  const drop: BrokerConnections['drop'] = (key, connection, reason) => {
    clearTimeout(connection.idle)
    if (connections.get(key) === connection) connections.delete(key)
    connection.opened.then(({ publisher }) => publisher.close(reason)).catch(() => undefined)
  }
  return {
    take(broker) {
      const { key, version, portion } = broker
      const present = connections.get(key)
      if (present && present.version === version && isUsable(present, portion)) return use(present)
      if (present) drop(key, present, 'The webhook was changed.')
      if (connections.size >= mostOpen) dropIdlest(connections, drop)
      const connection = connect(broker)
      connections.set(key, connection)
      return use(connection)
    },
    give({ key }, connection) {
      connection.inUse -= 1
      if (connection.inUse > 0) return
      const end = () => drop(key, connection, 'It was idle.')
      connection.idle = setTimeout(end, idleTime).unref()
    },
    connect,
    drop,
    close() {
      for (const [key, connection] of connections) drop(key, connection, 'The service stops.')
    },
  }
}

/** False where the connection has ended. Throws its trouble where it was begun for this portion. */
function isUsable({ trouble, publisher, portion }: BrokerConnection, present: string): boolean {
  const end = trouble ?? publisher?.trouble
  if (end && portion === present) throw end
  return end === undefined
}

function use(connection: BrokerConnection): BrokerConnection {
  clearTimeout(connection.idle)
  connection.inUse += 1
  return connection
}

function dropIdlest(
  connections: ReadonlyMap<string, BrokerConnection>,
  drop: BrokerConnections['drop'],
): void {
  const idle = [...connections].find(([, { inUse }]) => inUse === 0)
  if (idle) drop(...idle, 'Others needed the place.')
}

/** Remembers which brokers do not speak MQTT 5, so that they are not asked at every connection. */
function createConnect(outside: Outside): BrokerConnections['connect'] {
  const versions = new Map<string, MqttVersion>()
  return ({ key, version, portion, target }) => {
    const name = `${key} ${version}`
    const opened = open(target, outside, versions.get(name)).then((publisher): Opened => {
      if (versions.size >= mostOpen) versions.clear()
      if (publisher.version === 4) versions.set(name, 4)
      connection.publisher = publisher
      const most = Math.min(atOnce, publisher.receiveMaximum)
      return { publisher, limit: createConcurrencyLimit({ atOnce: most, waiting: atOnce }) }
    })
    const none = { publisher: undefined, trouble: undefined, idle: undefined }
    const connection: BrokerConnection = { version, portion, opened, inUse: 0, ...none }
    opened.catch((error) => {
      connection.trouble = toNetworkError(error)
    })
    return connection
  }
}

/** The MQTT client is loaded when it is first needed. */
async function open(target: PublishTarget, outside: Outside, version: MqttVersion | undefined) {
  const { openPublisher } = await import('../../../networks/mqtt/open-publisher.ts')
  return openPublisher(target, outside, version)
}

/** The messages of other errors may quote secrets. */
export function toNetworkError(error: unknown): NetworkError {
  if (error instanceof NetworkError) return error
  const name = error instanceof Error ? error.name : 'unknown error'
  return new NetworkError('unreachable', `The MQTT broker could not be called: ${name}.`)
}
