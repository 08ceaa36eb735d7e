import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { Aedes, type PublishPacket } from 'aedes'
import { readMessage } from '../src/networks/chirpstack/messages.ts'
import { thisMachine } from './outside.ts'

/** The published `up` event of ChirpStack. */
export const up = JSON.parse(
  readFileSync(new URL('../src/networks/chirpstack/examples/up.json', import.meta.url), 'utf8'),
)
export const applicationId = '17c82e96-be03-4f38-aef3-f83d48582d97'
/**
 * Starts a broker that counts acknowledgements. Returns also what a test needs to publish to the
 * account.
 */
export async function startBroker(context: Pick<TestContext, 'after'>, rules: BrokerRules = {}) {
  const broker = await Aedes.createBroker()
  holdTo(broker, rules)
  // Marks a packet that is sent again as a duplicate. MQTT 3.1.1 requires this, but this broker
  // omits it.
  const sent = new Set<string>()
  const { authorizeForward } = broker
  broker.authorizeForward = (client, packet) => {
    if (!authorizeForward(client, packet)) return null
    const name = `${packet.brokerId} ${packet.brokerCounter}`
    if (sent.has(name)) packet.dup = true
    sent.add(name)
    return packet
  }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    broker.handle(socket)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  context.after(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await new Promise<void>((resolve) => {
      broker.close(resolve)
    })
  })
  const acknowledged: number[] = []
  broker.on('ack', (packet) => {
    // Without a packet it is the repetition of an acknowledgement.
    const { payload } = (packet as PublishPacket | undefined) ?? {}
    if (payload) acknowledged.push(JSON.parse(payload.toString()).fCnt)
  })
  const address = server.address()
  assert.ok(address && typeof address === 'object')
  const publish = (
    fCnt: number,
    { event = 'up', body = { ...up, fCnt } as unknown, application = applicationId } = {},
  ) =>
    new Promise<void>((resolve, reject) => {
      const topic = `application/${application}/device/0101010101010101/event/${event}`
      const payload = typeof body === 'string' ? body : JSON.stringify(body)
      const packet = { cmd: 'publish', topic, payload, qos: 1, retain: false, dup: false } as const
      broker.publish(packet, (error) => (error ? reject(error) : resolve()))
    })
  const source = {
    url: `mqtt://127.0.0.1:${address.port}`,
    topic: `application/${applicationId}/device/+/event/+`,
    clientId: 'lfctest',
    read: (topic: string, body: unknown, receivedAt: string) => [
      readMessage({ query: { event: topic.slice(topic.lastIndexOf('/') + 1) }, body, receivedAt }),
    ],
    outside: thisMachine,
  }
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return { broker, acknowledged, publish, source, cut }
}

/**
 * The access rules, as in Mosquitto with a password file and an ACL. A test can change them at any
 * time. Without `logins`, every client can do everything.
 */
export interface BrokerRules {
  /** Passwords by user name. */
  logins?: Record<string, string>
  /** Refuses every login. */
  isShut?: boolean
  /**
   * The result of a subscription to a topic that the user may not read. Mosquitto with an
   * `acl_file` grants it and delivers nothing. A plugin can refuse it (SUBACK with 0x80).
   */
  foreignTopics?: 'granted' | 'refused'
  /** Prefixes of the topics that clients may read; any topic by default. */
  readable?: string[]
}

/** Makes a broker apply these rules to its clients. */
export function holdTo(broker: Aedes, rules: BrokerRules): void {
  const mayRead = (topic: string) =>
    rules.readable?.some((start) => topic.startsWith(start)) ?? true
  broker.authenticate = (_client, username, password, done) => {
    const { logins, isShut } = rules
    const isKnown = !logins || (username && logins[username] === password?.toString())
    if (isKnown && !isShut) return done(null, true)
    done(Object.assign(new Error('Not authorized'), { returnCode: 5 }), false)
  }
  broker.authorizeSubscribe = (_client, subscription, done) => {
    const isRefused = rules.foreignTopics === 'refused' && !mayRead(subscription.topic)
    done(null, isRefused ? null : subscription)
  }
  broker.authorizeForward = (_client, packet) => (mayRead(packet.topic) ? packet : null)
}

/**
 * Returns how many sessions with subscriptions a broker stores, whether clients are connected or
 * not.
 */
export async function countSessions(broker: Aedes): Promise<number> {
  // The types of the broker lack this member.
  const { persistence } = broker as unknown as {
    persistence: { countOffline(): Promise<{ clientsCount: number }> }
  }
  const { clientsCount } = await persistence.countOffline()
  return clientsCount
}
