import type { Queryable } from '../../db/connect.ts'
import type { StoredAccount } from '../connections/account-queries.ts'
import { type Kind, type OwnSide, type OwnThing, placeOf } from './difference.ts'

/** Which part of the devices, gateways and outbox goes through an account. */
type AccountKey = Pick<StoredAccount, 'organization_id' | 'network' | 'register_method'>

/**
 * What is registered here under an account, and what its network is still to be told. Through the
 * operator's account go the devices of many organizations: it is compared with all of them.
 */
export async function readOwnSide(db: Queryable, account: AccountKey): Promise<OwnSide> {
  const key = [account.organization_id, account.network, account.register_method]
  // The outbox last: what leaves it in between is then in neither, and not taken for a difference
  // by the other reading.
  const things = await db.query<OwnThing>(
    `select 'device' as kind, id, eui, name, is_console_only, upper(join_eui) as join_eui,
       sealed_key is not null as has_key
     from devices
     where (organization_id = $1 or $3 = 'vendor') and network = $2 and register_method = $3
       and deleted_at is null
     union all
     select 'gateway', id, eui, name, false, null, false
     from gateways
     where organization_id = $1 and network = $2 and register_method = $3 and deleted_at is null`,
    key,
  )
  const busy = await db.query<{ kind: Kind; eui: string }>(
    `select case when gateway_id is null then 'device' else 'gateway' end as kind, eui
     from provisioning
     where network = $2 and register_method = $3 and (organization_id = $1 or $3 = 'vendor')`,
    key,
  )
  return {
    things: new Map(things.map((thing) => [placeOf(thing), thing])),
    busy: new Set(busy.map(placeOf)),
  }
}

/** The sealed keys of devices, by id; those that were adopted without one have none. */
export async function readSealedKeys(
  db: Queryable,
  account: AccountKey,
  deviceIds: readonly number[],
): Promise<Map<number, Buffer>> {
  if (deviceIds.length === 0) return new Map()
  const rows = await db.query<{ id: number; sealed_key: Buffer }>(
    `select id, sealed_key from devices
     where (organization_id = $1 or $2 = 'vendor') and id = any($3) and sealed_key is not null`,
    [account.organization_id, account.register_method, deviceIds],
  )
  return new Map(rows.map(({ id, sealed_key }) => [id, sealed_key]))
}
