import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Queryable } from '../../db/connect.ts'
import { lookUpTogether } from '../../db/together.ts'
import { hashOfSecret } from '../../features/accounts/connections/callback-secret.ts'
import {
  type SendingAccount,
  toSendingAccount,
} from '../../features/accounts/connections/sending-account.ts'
import { findNetwork } from '../../networks/index.ts'
import { findCallbackAccounts, findGateway, type SecretHashes } from './sender-queries.ts'

/** An account, and the secrets that prove that its network sent a message. */
export interface CallbackAccount extends SendingAccount {
  uuid: string
  secrets: SecretHashes
}

/** Finds accounts by the UUID in the URL of their callback. */
export interface CallbackAccounts {
  find(uuid: string): Promise<CallbackAccount | undefined>
}

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Looked up for each message, and for all that come at once together: a withdrawn secret is refused at once. */
export function createCallbackAccounts(db: Queryable): CallbackAccounts {
  const findRow = lookUpTogether(
    (uuids: string[]) => findCallbackAccounts(db, uuids),
    ({ uuid }) => uuid,
  )
  return {
    async find(uuid) {
      const row = isUuid.test(uuid) ? await findRow(uuid.toLowerCase()) : undefined
      return row && { ...toSendingAccount(row), uuid: row.uuid, secrets: row }
    },
  }
}

/**
 * The header in which networks send the secret of the callback, unless a network needs another
 * header.
 */
export const callbackHeader = 'x-callback-secret'

/** Returns the header of an account's callback, in lower case. */
export function callbackHeaderOf(networkKey: string, accountUuid: string): string {
  const network = findNetwork(networkKey)
  if (network?.callbackHeader) return network.callbackHeader
  if (!network?.sharesHeaders) return callbackHeader
  return `${callbackHeader}-${accountUuid.slice(0, 8).toLowerCase()}`
}

/**
 * Whether a request to the account's callback contains its secret. If the network shares headers,
 * the common header is valid too: an older version showed it, and users may have entered it by
 * hand.
 */
export function isProven(
  account: CallbackAccount,
  headers: IncomingHttpHeaders,
  now: Date,
): boolean {
  const { network, uuid } = account
  const isProof = (name: string) => {
    const sent = headers[name]
    return typeof sent === 'string' && isSecret(sent, account.secrets, now)
  }
  if (isProof(callbackHeaderOf(network, uuid))) return true
  return findNetwork(network)?.sharesHeaders === true && isProof(callbackHeader)
}

/**
 * Returns the gateway of kind `other` with this UUID; undefined unless the token is valid for it.
 */
export async function findProvenGateway(
  db: Queryable,
  { uuid, token, now }: { uuid: string; token: string; now: Date },
): Promise<SendingAccount | undefined> {
  const gateway = isUuid.test(uuid) ? await findGateway(db, uuid) : undefined
  if (!gateway?.hash || !isSecret(token, { ...gateway, hash: gateway.hash }, now)) return undefined
  return {
    // Negative, so that it is the id of no network account: the quarantine keeps the senders apart.
    id: -gateway.id,
    organizationId: gateway.organization_id,
    tenantId: gateway.tenant_id,
    network: 'other',
    isVendor: false,
    gatewayEui: gateway.eui,
  }
}

/** Whether `sent` is valid at `now`. Each secret is compared in constant time. */
function isSecret(sent: string, { hash, former }: SecretHashes, now: Date): boolean {
  const sentHash = hashOfSecret(sent)
  if (timingSafeEqual(sentHash, hash)) return true
  return former.some(
    (one) => now.getTime() < one.until && timingSafeEqual(sentHash, Buffer.from(one.hash, 'hex')),
  )
}
