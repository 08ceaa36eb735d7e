// One connection to an MQTT 3.1.1 broker. Its session outlives the connection.
import { setTimeout as delay } from 'node:timers/promises'
import type { BackOff } from '../back-off.ts'
import { NetworkError } from '../network-error.ts'
import type { BrokerSource, MessageSink } from './broker.ts'
import { openClient, toTrouble, unauthorized, unreachable } from './client.ts'
import { type ArrivalRules, createMinuteLimit } from './packet-guard.ts'
import { type Arrivals, receive } from './receive-messages.ts'

interface BrokerHooks {
  arrivals: Arrivals
  storeBackOff: BackOff
  /** Takes what ends the connection or prevents it. */
  onTrouble(trouble: NetworkError): void
  /** Called when the client is connected and subscribed. */
  onReady(): void
  /** Called after a message was read; `fault` says why it could not be. */
  onRead(fault?: string): void
  /** Called once, when the connection has ended or could not be made. */
  onEnd(): void
}

const connectTimeoutMs = 10_000
const closeTimeoutMs = 1_000
/** A broker that is silent for one and a half times this long counts as gone. */
const keepAliveSeconds = 10

export function openBrokerConnection(
  source: BrokerSource,
  sink: MessageSink,
  hooks: BrokerHooks,
): { close(): Promise<void> } {
  try {
    return follow(source, sink, hooks)
  } catch (error) {
    // The messages of other errors may quote the address, which can carry a signature.
    const name = error instanceof Error ? error.name : 'unknown error'
    const known = error instanceof NetworkError ? error : undefined
    hooks.onTrouble(known ?? unreachable(`The MQTT broker could not be called: ${name}.`))
    // After this function has returned.
    setImmediate(hooks.onEnd)
    return { close: async () => undefined }
  }
}

/** Throws when the connection cannot be started. */
function follow(source: BrokerSource, sink: MessageSink, hooks: BrokerHooks) {
  const { topic, read } = source
  const ending = new AbortController()
  // mqtt.js emits `error` for some failures only; others are seen by the end of the connection.
  let isExplained = false
  let stage: keyof typeof endings = 'connecting'
  const tell = (trouble: NetworkError) => {
    if (isExplained || ending.signal.aborted) return
    isExplained = true
    hooks.onTrouble(trouble)
  }
  const client = begin(source, tell)
  const ended = new Promise<void>((resolve) => {
    client.once('close', () => {
      tell(unreachable(`The MQTT broker closed the connection${endings[stage]}.`))
      ending.abort()
      resolve()
      hooks.onEnd()
    })
  })
  const onUnread = () => {
    tell(unreachable('The MQTT broker does not read what it is sent.'))
    client.stream.destroy()
  }
  const window = receive(client, sink, { read, hooks, signal: ending.signal, onUnread })
  client.on('error', (error) => {
    tell(toTrouble(error))
    // mqtt.js goes on after a packet that it cannot parse.
    client.stream.destroy()
  })
  // mqtt.js passes on errors of sockets, but not that a WebSocket is refused.
  client.stream.on('error', (error) => tell(toTrouble(error)))
  client.on('connect', () => {
    stage = 'subscribing'
    client.subscribeAsync(topic, { qos: 1 }).then(
      () => {
        stage = 'standing'
        if (!ending.signal.aborted) hooks.onReady()
      },
      () => {
        // SUBACK with 0x80, MQTT 3.1.1, section 3.9.3.
        if (client.connected) {
          tell(unauthorized(`The MQTT broker refused the subscription to ${topic}.`))
        }
        client.stream.destroy()
      },
    )
  })
  return {
    close: async () => {
      const isOver = ending.signal.aborted
      ending.abort()
      await window.drain()
      if (isOver) return
      client.end(!client.connected)
      await Promise.race([ended, delay(closeTimeoutMs)])
      client.stream.destroy()
    },
  }
}

/** Some brokers, AWS IoT among them, refuse by closing the connection. */
const endings = {
  connecting: ' before it let the account in: the login may be wrong',
  subscribing: ' when it was asked for the topic: the login may not be allowed to read it',
  standing: '',
} as const

function begin(
  { url, sign, outside, username, password, clientId }: BrokerSource,
  onRefused: (trouble: NetworkError) => void,
) {
  const options = {
    clientId,
    username,
    password,
    protocolVersion: 4 as const,
    clean: false,
    connectTimeout: connectTimeoutMs,
    keepalive: keepAliveSeconds,
    resubscribe: false,
  }
  return openClient(sign?.() ?? url, options, outside, { rules: createRules(), onRefused })
}

/** Packets that are no messages: one to connect, one to subscribe, and one to each ping. */
const answersPerMinute = 60
const publish = 3

function createRules(): ArrivalRules {
  const mayCome = createMinuteLimit(answersPerMinute)
  return {
    refusePacket(firstByte) {
      if (firstByte >> 4 !== publish) {
        return mayCome() ? undefined : 'The MQTT broker sends more than messages and answers.'
      }
      // mqtt.js would keep each in memory until the broker releases it.
      const isExactlyOnce = (firstByte & 0x06) === 0x04
      return isExactlyOnce ? 'The MQTT broker sends messages with QoS 2, not QoS 1.' : undefined
    },
  }
}
