import type { Queryable } from '../../db/connect.ts'
import { formFor } from '../../db/distribution/form-for.ts'
import type { RegisterMethod } from '../../features/accounts/connections/account-queries.ts'
import { removeStored } from '../store/quarantine-queries.ts'

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
  tenant_id: number
  network_account_id: number
  network: string
  register_method: RegisterMethod
  uplink: string
  message: Buffer
}

/**
 * Claims the released uplinks with the lowest ids, except those of the tenants
 * `exceptRoots`. No other process takes them before the transaction ends.
 */
export async function claimReleased(
  tx: Queryable,
  limit: number,
  exceptRoots: readonly number[],
): Promise<ReleasedUplink[]> {
  const claim = await formFor(tx, { whole: claimWhole, spread: claimSpread })
  return claim(tx, limit, exceptRoots)
}

function claimWhole(
  tx: Queryable,
  limit: number,
  exceptRoots: readonly number[],
): Promise<ReleasedUplink[]> {
  return tx.query<ReleasedUplink>(
    `select kept.id, kept.organization_id, organizations.tenant_id, kept.network_account_id,
       accounts.network, accounts.register_method, kept.uplink, kept.message
     from quarantined_messages as kept
     join network_accounts as accounts on accounts.id = kept.network_account_id
     join organizations on organizations.id = kept.organization_id
     where kept.is_released and organizations.tenant_id <> all($2::bigint[])
     order by kept.id
     limit $1
     for update of kept skip locked`,
    [limit, exceptRoots],
  )
}

/** The same where messages are on several machines: rows are locked on one of them at a time. */
async function claimSpread(
  tx: Queryable,
  limit: number,
  exceptRoots: readonly number[],
): Promise<ReleasedUplink[]> {
  const organizations = await tx.query<{ id: number; tenant_id: number }>(
    `with waiting as materialized (
       select distinct organization_id from quarantined_messages where is_released
     )
     select organizations.id, organizations.tenant_id
     from waiting
     join organizations on organizations.id = waiting.organization_id
     where organizations.tenant_id <> all($1::bigint[])
     order by organizations.id`,
    [exceptRoots],
  )
  const claimed: Omit<ReleasedUplink, 'network' | 'register_method'>[] = []
  for (const { id, tenant_id } of organizations) {
    if (claimed.length === limit) break
    const rows = await tx.query<Omit<(typeof claimed)[number], 'tenant_id'>>(
      `select id, organization_id, network_account_id, uplink, message from quarantined_messages
       where organization_id = $1 and is_released
       order by id
       limit $2
       for update skip locked`,
      [id, limit - claimed.length],
    )
    claimed.push(...rows.map((row) => ({ ...row, tenant_id })))
  }
  const accounts = await tx.query<
    { id: number } & Pick<ReleasedUplink, 'network' | 'register_method'>
  >('select id, network, register_method from network_accounts where id = any($1::bigint[])', [
    claimed.map(({ network_account_id }) => network_account_id),
  ])
  const byId = new Map(accounts.map(({ id, ...account }) => [id, account]))
  return claimed.flatMap((message) => {
    const account = byId.get(message.network_account_id)
    return account ? [{ ...message, ...account }] : []
  })
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
