import type { MqttClient } from 'mqtt'
import type { FarCallback, FarMessage } from './far-dialect.ts'
import type { DeliveryCounts } from './simulated-network.ts'

/** As the networks allow for a callback: a few seconds. */
const timeoutMs = 5_000

/** Where messages go, and what became of them. */
export interface Delivery {
  callbacks: readonly FarCallback[]
  broker: MqttClient | undefined
  isAway: boolean
  /** How often a message that failed is sent again. */
  retries: number
  counts: DeliveryCounts
}

/**
 * Sends one message to every callback that takes it; resolves with the body of an answer, where there
 * was one. Never throws.
 */
export async function deliver(
  { callbacks, broker, isAway, retries, counts }: Delivery,
  message: FarMessage,
): Promise<unknown> {
  const isPublished = broker !== undefined && message.topic !== undefined
  const takers = callbacks.filter(({ takes }) => takes?.(message) ?? true)
  if (isAway || (takers.length === 0 && !isPublished)) {
    counts.lost += 1
    return undefined
  }
  const text = JSON.stringify(message.body)
  if (isPublished) {
    await broker.publishAsync(message.topic ?? '', text, { qos: 1 })
    counts.delivered += 1
  }
  const answers = await Promise.all(
    takers.map((callback) => postUntilTaken(callback, { message, text, retries, counts })),
  )
  return answers.find((body) => body !== undefined)
}

async function postUntilTaken(
  callback: FarCallback,
  {
    message,
    text,
    retries,
    counts,
  }: { message: FarMessage; text: string } & Pick<Delivery, 'retries' | 'counts'>,
): Promise<unknown> {
  for (let attempt = 0; attempt <= retries; attempt += 1) {
    const answer = await post(callback, message, text)
    callback.heard?.(answer !== undefined)
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
  { url, header, value }: FarCallback,
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
