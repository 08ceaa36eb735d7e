import { connectAsync } from 'mqtt'
import { NetworkError } from '../network.ts'
import type { BrokerSource } from './broker-connection.ts'

const timeoutMs = 5_000

/** Proves that a broker lets the account in. Throws `NetworkError`. */
export async function probeBroker({
  url,
  username,
  password,
  outside,
}: Pick<BrokerSource, 'username' | 'password' | 'outside'> & { url: string }): Promise<void> {
  outside.check(new URL(url))
  try {
    const client = await connectAsync(
      url,
      {
        ...(username === undefined ? {} : { username }),
        ...(password === undefined ? {} : { password }),
        connectTimeout: timeoutMs,
        reconnectPeriod: 0,
        ...{ lookup: outside.lookup },
        wsOptions: { lookup: outside.lookup },
      },
      false,
    )
    await client.endAsync(true)
  } catch (error) {
    if (error instanceof NetworkError) throw error
    const { message, code } = error as Error & { code?: unknown }
    // CONNACK: 4 is a bad user name or password, 5 not authorized (MQTT 3.1.1, section 3.2.2.3).
    const kind = code === 4 || code === 5 ? 'unauthorized' : 'unreachable'
    throw new NetworkError(kind, `The MQTT broker could not be used: ${message}.`, true)
  }
}
