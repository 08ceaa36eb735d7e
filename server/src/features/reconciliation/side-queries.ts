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

/**
 * Those of the EUIs under which the organization has a device, on whatever network, or anybody has
 * one at this account, the operator's. Looked for one by one along the indexes: while a fleet is
 * imported the planner knows nothing yet of the rows that came, and would read them all for each
 * thousand.
 */
export async function findTakenDevices(
  db: Queryable,
  { organization_id, network, register_method }: AccountKey,
  euis: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ eui: string }>(
    `select given.eui
     from unnest($1::text[]) as given(eui)
     cross join lateral (
       (select devices.eui from devices
        where devices.organization_id = $2 and devices.eui >= given.eui
          and devices.deleted_at is null
        order by devices.eui
        limit 1)
       union all
       (select devices.eui from devices
        where $4 = 'vendor' and devices.register_method = 'vendor' and devices.network = $3
          and devices.eui >= given.eui and devices.deleted_at is null
        order by devices.eui
        limit 1)
     ) as next
     where next.eui = given.eui`,
    [euis, organization_id, network, register_method],
  )
  return new Set(rows.map(({ eui }) => eui))
}

/** Those of the EUIs under which the organization has a gateway on the network. */
export async function findTakenGateways(
  db: Queryable,
  { organization_id, network }: AccountKey,
  euis: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ eui: string }>(
    `select eui from gateways
     where organization_id = $1 and network = $2 and eui = any($3) and deleted_at is null`,
    [organization_id, network, euis],
  )
  return new Set(rows.map(({ eui }) => eui))
}
