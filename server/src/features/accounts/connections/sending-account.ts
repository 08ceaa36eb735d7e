import type { NamingAccount } from '../../fleet/inventory/named-device-queries.ts'

/** The account that sent a message. The message may name only devices of this account. */
export interface SendingAccount extends NamingAccount {
  id: number
  /** The tenant of its organization. The messages take room in its share of the ingest queue. */
  tenantId: number
  /** The EUI of the gateway, if the sender is a gateway of kind `other` and not an account. */
  gatewayEui?: string
}

interface AccountRow {
  id: number
  organization_id: number
  tenant_id: number
  network: string
  register_method: string
}

export function toSendingAccount(row: AccountRow): SendingAccount {
  return {
    id: row.id,
    organizationId: row.organization_id,
    tenantId: row.tenant_id,
    network: row.network,
    isVendor: row.register_method === 'vendor',
    ownMethod: row.register_method,
  }
}
