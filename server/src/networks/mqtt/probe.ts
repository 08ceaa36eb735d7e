import type { MqttClient } from 'mqtt'
import { NetworkError } from '../network.ts'
import { plainReason } from '../plain-reason.ts'
import type { BrokerSource } from './broker-connection.ts'
import { openClient } from './client.ts'

const timeoutMs = 5_000

/** Proves that a broker lets the account in. Throws `NetworkError`. */
export async function probeBroker({
  url,
  username,
  password,
  outside,
}: Pick<BrokerSource, 'username' | 'password' | 'outside'> & { url: string }): Promise<void> {
  const login = { username, password, connectTimeout: timeoutMs }
  try {
    const client = openClient(url, login, outside, () => undefined)
    await connected(client).finally(() => client.endAsync(true))
  } catch (error) {
    if (error instanceof NetworkError) throw error
    const { message, code } = error as Error & { code?: unknown }
    // CONNACK: 4 is a bad user name or password, 5 not authorized (MQTT 3.1.1, section 3.2.2.3).
    const kind = code === 4 || code === 5 ? 'unauthorized' : 'unreachable'
    const words = `The MQTT broker could not be used: ${plainReason(message)}.`
    throw new NetworkError(kind, words, { about: 'account', isUndone: true })
  }
}

function connected(client: MqttClient): Promise<void> {
  return new Promise((resolve, reject) => {
    client.once('connect', () => resolve())
    client.once('error', reject)
    client.once('close', () => reject(new Error('it closed the connection')))
  })
}
