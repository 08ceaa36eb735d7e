import type { MqttClient } from 'mqtt'
import { type Clock, sleep } from './clock.ts'
import type { FarCallback, FarMessage } from './far-dialect.ts'
import type { DeliveryCounts } from './simulated-network.ts'

/** The timeout of a post: networks, too, wait a few seconds for the answer of a callback. */
const timeoutMs = 5_000

/** The destinations of messages, and the counts of the outcomes. */
interface Delivery {
  clock: Clock
  callbacks: readonly FarCallback[]
  broker: MqttClient | undefined
  isAway: boolean
  /**
   * How often a failed message is sent again. The first pause is 1 s; each further pause is twice
   * as long.
   */
  retries: number
  counts: DeliveryCounts
}

/**
 * Sends one message to every callback that accepts it, and to the broker. Resolves with the body of
 * an answer, if there is one. Never throws.
 */
export async function deliver(delivery: Delivery, message: FarMessage): Promise<unknown> {
  const { callbacks, broker, isAway, counts } = delivery
  const takers = callbacks.filter(({ takes }) => takes?.(message) ?? true)
  const isPublished = broker !== undefined && message.topic !== undefined
  if (isAway || (takers.length === 0 && !isPublished)) {
    counts.lost += 1
    return undefined
  }
  if (isPublished) await publish(broker, message, counts)
  const answers = await Promise.all(
    takers.map((callback) => postUntilTaken(delivery, callback, message)),
  )
  return answers.find((body) => body !== undefined)
}

async function publish(
  broker: MqttClient,
  { topic = '', body }: FarMessage,
  counts: DeliveryCounts,
): Promise<void> {
  const isTaken = await broker.publishAsync(topic, JSON.stringify(body), { qos: 1 }).then(
    () => true,
    () => false,
  )
  counts[isTaken ? 'delivered' : 'failed'] += 1
}

async function postUntilTaken(
  { clock, retries, counts }: Delivery,
  callback: FarCallback,
  message: FarMessage,
): Promise<unknown> {
  for (let attempt = 0; attempt <= retries; attempt += 1) {
    if (attempt > 0) await sleep(clock, 1_000 * 2 ** (attempt - 1))
    const answer = await post(callback, message)
    callback.heard?.(answer !== undefined)
    if (answer) {
      counts.delivered += 1
      return answer.body
    }
  }
  counts.failed += 1
  return undefined
}

/** Undefined if the post failed, or if the answer is not a 2xx. */
async function post(
  { url, headers: ofCallback, encode }: FarCallback,
  message: FarMessage,
): Promise<{ body: unknown } | undefined> {
  const { path = '', query = {}, headers = {}, body } = message
  const address = URL.parse(url + path)
  if (!address) return undefined
  for (const [name, part] of Object.entries(query)) address.searchParams.set(name, part)
  const encoded = encode?.(message)
  const type = encoded?.type ?? 'application/json'
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { ...ofCallback, 'content-type': type, ...headers },
      body: encoded?.bytes ?? JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const answer = await response.text()
    return response.ok ? { body: answer === '' ? undefined : JSON.parse(answer) } : undefined
  } catch {
    return undefined
  }
}
