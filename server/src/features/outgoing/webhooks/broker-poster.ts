import { setTimeout as delay } from 'node:timers/promises'
import type { Acknowledgement, Publication } from '../../../networks/mqtt/publisher.ts'
import { NetworkError } from '../../../networks/network-error.ts'
import type { Outside } from '../../../networks/outside.ts'
import {
  type BrokerConnection,
  type BrokerTarget,
  createBrokerConnections,
  toNetworkError,
} from './broker-connections.ts'
import { type Attempt, toLine } from './post-message.ts'

/** Publishes messages at brokers, over one connection for each webhook. */
export interface BrokerPoster {
  publish(broker: BrokerTarget, publication: Publication, at: Date): Promise<Attempt>
  /** The same over a connection of its own, which ends after it. */
  publishApart(broker: BrokerTarget, publication: Publication, at: Date): Promise<Attempt>
  close(): void
}

/** Of an attempt as a whole, with the connection, in milliseconds. */
const deadline = 10_000
const noAnswer = `There was no answer within ${deadline / 1000} seconds.`

export function createBrokerPoster({ outside }: { outside: Outside }): BrokerPoster {
  const connections = createBrokerConnections(outside)
  const publish = async (broker: BrokerTarget, publication: Publication) => {
    const connection = connections.take(broker)
    const giveUp = () => connections.drop(broker.key, connection, noAnswer)
    try {
      return await publishInTime(connection, publication, giveUp)
    } finally {
      connections.give(broker, connection)
    }
  }
  const publishApart = (broker: BrokerTarget, publication: Publication) => {
    const connection = connections.connect(broker)
    const end = () => connections.drop(broker.key, connection, 'The test is over.')
    return publishInTime(connection, publication, end).finally(end)
  }
  return {
    publish: (broker, publication, at) => attempt(at, () => publish(broker, publication)),
    publishApart: (broker, publication, at) => attempt(at, () => publishApart(broker, publication)),
    close: () => connections.close(),
  }
}

/** Without an answer in time the connection is given up, with the other messages on it. */
async function publishInTime(
  { opened }: BrokerConnection,
  publication: Publication,
  giveUp: () => void,
): Promise<Acknowledgement> {
  const over = new AbortController()
  const late = delay(deadline, undefined, { signal: over.signal }).then(() => {
    giveUp()
    throw new NetworkError('unreachable', noAnswer)
  })
  const published = opened.then(({ publisher, limit }) =>
    limit(() => publisher.publish(publication)),
  )
  try {
    return await Promise.race([published, late])
  } finally {
    over.abort()
    // One of them may still fail.
    for (const each of [published, late]) each.catch(() => undefined)
  }
}

/** The status is the reason code of MQTT 5; 0 is success. */
async function attempt(at: Date, publish: () => Promise<Acknowledgement>): Promise<Attempt> {
  const start = performance.now()
  const end = (done: Pick<Attempt, 'isDelivered' | 'status' | 'answer'>): Attempt => {
    const durationMs = Math.round(performance.now() - start)
    return { at, durationMs, retryAfterMs: undefined, ...done }
  }
  try {
    const { code, words } = await publish()
    return end({ isDelivered: code === 0, status: code, answer: toLine(words) })
  } catch (error) {
    const { message } = toNetworkError(error)
    return end({ isDelivered: false, status: undefined, answer: toLine(message) })
  }
}
