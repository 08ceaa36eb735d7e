import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../db/connect.ts'
import type { Sealer } from '../../db/seal.ts'
import { NetworkError } from '../../networks/network.ts'
import { noteCallback, type StoredAccount } from './account-queries.ts'
import { callbackOf } from './account-record.ts'
import type { NetworkConnections } from './connections.ts'

interface Dependencies {
  db: Database
  sealer: Sealer
  log: FastifyBaseLogger
  publicUrl: string
  connections: NetworkConnections
}

/**
 * Enters the account's callback at its network, where that has a call for it. Its refusal is no
 * fault of the account: the message tells the owner to do it by hand.
 */
export async function enterCallback(
  dependencies: Dependencies,
  account: StoredAccount,
): Promise<void> {
  try {
    const connection = await dependencies.connections.open(account.id)
    await connection.setCallback?.(callbackOf(account, dependencies))
    await noteCallback(dependencies.db, account.id, '')
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    dependencies.log.warn({ account: account.id, reason: error.message }, 'callback not entered')
    const message = `The callback could not be entered at the network, please do so yourself. ${error.message}`
    await noteCallback(dependencies.db, account.id, message)
  }
}

/** Takes the callback out of the network again, as far as that is possible. */
export async function withdrawCallback(
  dependencies: Dependencies,
  account: StoredAccount,
): Promise<void> {
  try {
    const connection = await dependencies.connections.open(account.id)
    await connection.removeCallback?.(callbackOf(account, dependencies))
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    dependencies.log.warn({ account: account.id, reason: error.message }, 'callback not removed')
  }
}
