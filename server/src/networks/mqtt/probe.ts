import type { MqttClient } from 'mqtt'
import { NetworkError } from '../network.ts'
import type { BrokerSource } from './broker-source.ts'
import { toTrouble } from './broker-trouble.ts'
import { openClient } from './client.ts'

const timeoutMs = 5_000

type Probed = Pick<BrokerSource, 'url' | 'sign' | 'username' | 'password' | 'outside'> & {
  /** Any by default. A session that the broker keeps for it is ended. */
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
    const client = openClient(sign?.() ?? url, options, outside, () => undefined)
    await connected(client).finally(() => client.endAsync(true))
  } catch (error) {
    if (error instanceof NetworkError) throw error
    throw toTrouble(error instanceof Error ? error : new Error('unknown error'))
  }
}

function connected(client: MqttClient): Promise<void> {
  return new Promise((resolve, reject) => {
    client.once('connect', () => resolve())
    client.once('error', reject)
    // mqtt.js passes on those of sockets alone, and not that a WebSocket is refused.
    client.stream.once('error', reject)
    client.once('close', () => reject(new Error('it closed the connection')))
  })
}
