import type { NamingAccount } from '../inventory/named-device-queries.ts'

/** The account through which a message came: its devices are the only ones that the message may name. */
export interface SendingAccount extends NamingAccount {
  id: number
  /** The root of its organization's tree, whose share of the ingest queue its messages take. */
  rootId: number
  /** The EUI of the sender, where it is a gateway of kind `other` and no account. */
  gatewayEui?: string
}

interface AccountRow {
  id: number
  organization_id: number
  root_id: number
  network: string
  register_method: string
}

export function toSendingAccount(row: AccountRow): SendingAccount {
  return {
    id: row.id,
    organizationId: row.organization_id,
    rootId: row.root_id,
    network: row.network,
    isVendor: row.register_method === 'vendor',
  }
}
