import type { Queryable } from '../../db/connect.ts'
import { lookUpTogether } from '../../db/look-up-together.ts'
import type { Sealer } from '../../db/seal.ts'
import { findNetwork } from '../../networks/index.ts'
import { type AccountValues, type NetworkConnection, NetworkError } from '../../networks/network.ts'
import type { CallbackAccount } from '../uplinks/ingest-queue.ts'
import { findById, findForCallbacks, type StoredAccount } from './account-queries.ts'
import type { CallbackHashes } from './callback-secret.ts'

/** The accounts as the rest of the service uses them: opened, and by their callback. */
export interface NetworkConnections {
  /** The connection of an account, kept open. Throws `NetworkError` when the account is gone. */
  open(accountId: number): Promise<NetworkConnection>
  /** The account of a callback's address. */
  findCallbackAccount(uuid: string): Promise<(CallbackAccount & CallbackHashes) | undefined>
  close(): Promise<void>
}

interface Dependencies {
  db: Queryable
  sealer: Sealer
}

export function createConnections({ db, sealer }: Dependencies): NetworkConnections {
  const connections = new Map<number, { version: string; connection: NetworkConnection }>()
  const findRow = lookUpTogether(
    (uuids: string[]) => findForCallbacks(db, uuids),
    (row) => row.uuid,
  )
  return {
    async open(accountId) {
      const account = await findById(db, accountId)
      const adapter = account && findNetwork(account.network)?.adapter
      const known = connections.get(accountId)
      if (!account || !adapter) {
        known?.connection.close()
        connections.delete(accountId)
        throw new NetworkError('unreachable', 'The account was removed.')
      }
      if (known?.version === account.updated_at) return known.connection
      known?.connection.close()
      const connection = adapter.connect(openValues(account, sealer))
      connections.set(accountId, { version: account.updated_at, connection })
      return connection
    },
    async findCallbackAccount(uuid) {
      if (!isUuid.test(uuid)) return undefined
      const row = await findRow(uuid.toLowerCase())
      return (
        row && {
          id: row.id,
          organizationId: row.organization_id,
          network: row.network,
          isVendor: row.register_method === 'vendor',
          callbackHash: row.callback_hash,
          previousHash: row.previous_callback_hash,
          previousUntil: row.previous_until,
        }
      )
    },
    async close() {
      for (const { connection } of connections.values()) connection.close()
      connections.clear()
    },
  }
}

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The account's values with its secrets opened. */
export function openValues(account: StoredAccount, sealer: Sealer): AccountValues {
  const secrets = sealer.open(account.sealed_secrets, secretsContext(account.id))
  return { ...account.account_fields, ...JSON.parse(secrets) }
}

/** Under what an account's secrets are sealed. */
export function secretsContext(accountId: number): string {
  return `network_accounts.sealed_secrets:${accountId}`
}

export function callbackContext(accountId: number): string {
  return `network_accounts.sealed_callback_secret:${accountId}`
}
