import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../../db/connect.ts'
import type { Sealer } from '../../../db/seal.ts'
import { NetworkError } from '../../../networks/network-error.ts'
import { isLocal } from '../../../networks/outside.ts'
import type { StoredAccount } from '../connections/account-queries.ts'
import type { NetworkConnections } from '../connections/connections.ts'
import { callbackOf } from './account-record.ts'
import { markEntered, note } from './care-queries.ts'

interface Dependencies {
  db: Database
  sealer: Sealer
  log: FastifyBaseLogger
  publicUrl: string
  connections: NetworkConnections
  now(): Date
}

/** When the callback is checked again; networks may change it at first. */
const nextCheckMilliseconds = 10 * 60 * 1000

/**
 * Enters the account's callback at its network, if the network has a call for it. A refusal is no
 * fault of the account: the message asks the owner to enter it by hand.
 */
export async function enterCallback(
  dependencies: Dependencies,
  account: StoredAccount,
): Promise<void> {
  const { db, now } = dependencies
  await markEntered(db, account.id)
  const message = await tryToEnter(dependencies, account)
  const next = new Date(now().getTime() + nextCheckMilliseconds)
  const version = { id: account.id, version: account.updated_at }
  await note(db, version, { message, repairs: [], isLeft: false, next })
}

/** Returns the message for the owner; empty when there is none. */
async function tryToEnter(dependencies: Dependencies, account: StoredAccount): Promise<string> {
  const callback = callbackOf(account, dependencies)
  try {
    const connection = await dependencies.connections.open(account.id)
    await connection.setCallback?.(callback)
    const found = await connection.readCallback?.(callback)
    const reach = tellReach(callback.url, account.account_fields)
    return [found?.words ?? '', reach].filter((words) => words !== '').join(' ')
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    dependencies.log.warn({ account: account.id, reason: error.message }, 'callback not entered')
    return toRefusalWords(error)
  }
}

export function toRefusalWords({ message }: NetworkError): string {
  return `The callback could not be entered at the network, please do so yourself. ${message}`
}

/**
 * Returns a message when the callback has a local address and the account's network is not local.
 * Empty otherwise.
 */
export function tellReach(callbackUrl: string, fields: Record<string, string>): string {
  // Over MQTT the service fetches the messages.
  if (fields.mqtt_url) return ''
  const url = new URL(callbackUrl)
  if (!isLocal(url)) return ''
  const server = URL.parse(fields.server ?? fields.cluster ?? '')
  if (server && isLocal(server)) return ''
  return `The network cannot reach the callback: ${url.origin} is an address of the local network. Set PUBLIC_URL to one that it can reach.`
}
