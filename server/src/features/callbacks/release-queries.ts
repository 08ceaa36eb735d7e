import type { Queryable } from '../../db/connect.ts'
import type { RegisterMethod } from '../connections/account-queries.ts'
import { removeStored } from '../uplinks/quarantine-queries.ts'

/**
 * Releases the uplinks of these devices from the quarantine of the account: the devices are
 * registered now.
 */
export async function release(
  tx: Queryable,
  { id, organization_id }: { id: number; organization_id: number },
  euis: readonly string[],
): Promise<void> {
  await tx.query(
    `with given as materialized (
       select $1::bigint as account_id, $3::bigint as organization_id, eui from unnest($2::text[]) as given(eui)
     )
     update quarantined_messages as kept set is_released = true
     from given
     where kept.organization_id = given.organization_id
       and kept.network_account_id = given.account_id and kept.device_eui = given.eui
       and kept.uplink is not null`,
    [id, euis, organization_id],
  )
}

export interface ReleasedUplink {
  id: number
  organization_id: number
  root_id: number
  network_account_id: number
  network: string
  register_method: RegisterMethod
  uplink: string
  message: Buffer
}

/**
 * Claims the released uplinks with the lowest ids, except those of the root organizations
 * `exceptRoots`. No other process takes them before the transaction ends.
 */
export function claimReleased(
  tx: Queryable,
  limit: number,
  exceptRoots: readonly number[],
): Promise<ReleasedUplink[]> {
  return tx.query<ReleasedUplink>(
    `select kept.id, kept.organization_id, organizations.root_id, kept.network_account_id,
       accounts.network, accounts.register_method, kept.uplink, kept.message
     from quarantined_messages as kept
     join network_accounts as accounts on accounts.id = kept.network_account_id
     join organizations on organizations.id = kept.organization_id
     where kept.is_released and organizations.root_id <> all($2::bigint[])
     order by kept.id
     limit $1
     for update of kept skip locked`,
    [limit, exceptRoots],
  )
}

/**
 * Removes messages that are stored as uplinks of a device now. The others stay in the quarantine.
 */
export async function settleReleased(
  tx: Queryable,
  messages: readonly Pick<ReleasedUplink, 'organization_id' | 'id'>[],
): Promise<void> {
  if (messages.length === 0) return
  await removeStored(tx, messages)
  await tx.query(
    `update quarantined_messages set is_released = false
     from unnest($1::bigint[], $2::bigint[]) as given (organization_id, id)
     where quarantined_messages.organization_id = given.organization_id
       and quarantined_messages.id = given.id`,
    [messages.map(({ organization_id }) => organization_id), messages.map(({ id }) => id)],
  )
}
