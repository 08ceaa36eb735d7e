import type { MqttClient } from 'mqtt'
import type { Callback } from '../network.ts'
import type { FarMessage } from './far-dialect.ts'
import type { DeliveryCounts } from './simulated-network.ts'

/** As the networks allow for a callback: a few seconds. */
const timeoutMs = 5_000

/** Where messages go, and what became of them. */
export interface Delivery {
  callback: Callback | undefined
  broker: MqttClient | undefined
  isAway: boolean
  /** How often a message that failed is sent again. */
  retries: number
  counts: DeliveryCounts
}

/** Sends one message; resolves with the body of the answer, where there was one. Never throws. */
export async function deliver(
  { callback, broker, isAway, retries, counts }: Delivery,
  message: FarMessage,
): Promise<unknown> {
  const isPublished = broker !== undefined && message.topic !== undefined
  if (isAway || (!callback && !isPublished)) {
    counts.lost += 1
    return undefined
  }
  const text = JSON.stringify(message.body)
  if (isPublished) {
    await broker.publishAsync(message.topic ?? '', text, { qos: 1 })
    counts.delivered += 1
  }
  if (!callback) return undefined
  for (let attempt = 0; attempt <= retries; attempt += 1) {
    const answer = await post(callback, message, text)
    if (answer) {
      counts.delivered += 1
      return answer.body
    }
  }
  counts.failed += 1
  return undefined
}

/** Undefined when the message has to be called lost. */
async function post(
  { url, header, value }: Callback,
  { path = '', query = {}, headers = {} }: FarMessage,
  text: string,
): Promise<{ body: unknown } | undefined> {
  const address = URL.parse(url + path)
  if (!address) return undefined
  for (const [name, part] of Object.entries(query)) address.searchParams.set(name, part)
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { [header]: value, 'content-type': 'application/json', ...headers },
      body: text,
      signal: AbortSignal.timeout(timeoutMs),
    })
    const answer = await response.text()
    return response.ok ? { body: answer === '' ? undefined : JSON.parse(answer) } : undefined
  } catch {
    return undefined
  }
}
