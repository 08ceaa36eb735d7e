// docs.senetco.io/ap/api, "Downlink API".
import { bindCalls } from '../bind-calls.ts'
import type { NetworkDownlink } from '../device-queue.ts'
import { isObject } from '../message-fields.ts'
import type { AccountValues, ConnectionOptions } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import type { Outside } from '../outside.ts'
import { openRest, RefusedCall, type RestClient } from '../rest.ts'

interface Session {
  client: RestClient
  close(): void
}

export const openConnection = bindCalls(openSession, { check: checkAccess, queueDownlink })

function openSession(
  values: AccountValues,
  outside: Outside,
  options?: ConnectionOptions,
): Session {
  const { api_key: apiKey = '' } = values
  const client = openRest({
    name: 'Senet',
    base: `${readServer(values).origin}/rest/integration`,
    headers: () => ({ authorization: apiKey }),
    outside,
    secrets: [apiKey],
    ...options,
  })
  return { client, close: () => client.close() }
}

export function readServer({ server }: AccountValues): URL {
  return new URL(server || 'https://api.senetco.io')
}

const path = '/device/sendmsg'

/**
 * How long Senet keeps a downlink; it drops it silently after that. A sensor that reports once a
 * day would miss the default of 5 minutes.
 */
const timeoutMinutes = 7 * 24 * 60

/** Returns the message id that the acknowledging uplink carries as `ackDnMsgId`. */
async function queueDownlink(
  { client }: Session,
  { devEui, fPort, payload, confirmed }: NetworkDownlink,
): Promise<string> {
  const query = {
    eui: devEui,
    pdu: Buffer.from(payload).toString('hex').toUpperCase(),
    port: fPort,
    confirmed,
    timeoutMinutes,
  }
  const { body } = await client.call({ method: 'POST', path, query })
  const id = isObject(body) ? body.msgId : undefined
  if (typeof id === 'number' || (typeof id === 'string' && id !== '')) return String(id)
  const words = isObject(body) && typeof body.message === 'string' ? body.message : 'no message id'
  throw new NetworkError('refused', `Senet refused: ${words.replace(/\.$/, '')}.`)
}

const nobody = '0000000000000000'

/**
 * Sends a downlink without a payload to a device that cannot exist, since Senet has no other call
 * for this key. It answers a wrong key with 403, and a right one with 400 or 404 in JSON.
 */
async function checkAccess({ client }: Session): Promise<void> {
  try {
    await client.call({ method: 'POST', path, query: { eui: nobody } })
  } catch (error) {
    const isSenet = error instanceof RefusedCall && isObject(error.body)
    if (isSenet && (error.status === 400 || error.status === 404)) return
    throw error
  }
}
