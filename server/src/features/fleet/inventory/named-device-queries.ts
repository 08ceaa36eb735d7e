import type { Queryable } from '../../../db/connect.ts'
import { formFor } from '../../../db/distribution/form-for.ts'
import { isOfAny } from '../../../db/distribution/places.ts'

/** The account through which a message came: it decides whose devices the message may name. */
export interface NamingAccount {
  organizationId: number
  network: string
  isVendor: boolean
  /** The register method of a further account of the organization; `user_account` if left out. */
  ownMethod?: string | undefined
}

/**
 * SQL: the device that an account may name by a normalized EUI. An organization's account names
 * the organization's devices that are registered through it, or through the operator's account at the
 * same network; the operator's account names any device registered through it. A device that moves may
 * be named by both of its accounts. Selects all columns of
 * `devices`; its values are `namedDeviceValues`.
 */
export const namedDevice = `select devices.* from devices
  where $4 <> 'vendor' and devices.organization_id = $3 and devices.eui = $1
    and (
      devices.network = $2 and devices.register_method in ($4, 'vendor')
      or devices.other_network = $2 and devices.other_method in ($4, 'vendor')
    )
    and devices.deleted_at is null
  union all
  select devices.* from devices
  where $4 = 'vendor' and devices.register_method = 'vendor' and devices.network = $2 and devices.eui = $1
    and devices.deleted_at is null
  union all
  select devices.* from devices
  where $4 = 'vendor' and devices.other_method = 'vendor' and devices.other_network = $2 and devices.eui = $1
    and devices.deleted_at is null`

/** The register method of the account's own devices. */
export function methodOf({ isVendor, ownMethod = 'user_account' }: NamingAccount): string {
  return isVendor ? 'vendor' : ownMethod
}

/** The same rule as in `namedDevice`, for a device that is known already. */
export function isThroughAccount(
  account: NamingAccount,
  network: string | null,
  registerMethod: string | null,
): boolean {
  if (network !== account.network) return false
  return registerMethod === methodOf(account) || registerMethod === 'vendor'
}

/** Whether the account may name the device: it is registered through it, or moves to it. */
export function mayBeNamedBy(account: NamingAccount, device: KnownDevice): boolean {
  return (
    isThroughAccount(account, device.network, device.register_method) ||
    isThroughAccount(account, device.other_network, device.other_method)
  )
}

/** The values of `namedDevice`, from `$1` on. */
export function namedDeviceValues(account: NamingAccount, eui: string) {
  return [eui, account.network, account.organizationId, methodOf(account)] as const
}

export interface KnownDevice {
  /** See `lookUpKeyOf`. */
  key: string
  id: number
  organization_id: number
  eui: string
  network: string
  register_method: string
  /** The network and register method to which it moves; null except during a move. */
  other_network: string | null
  other_method: string | null
  type_id: number
  /** Null when the type is built in, not made by the organization. */
  type_revision: number | null
  /** For its codec: see `openVariables`. */
  sealed_variables: Buffer | null
  /** Differs after each change of the row, its deletion included. */
  version: string
}

/**
 * The key that finds a message's device: the organization and the normalized EUI, or, through the
 * operator's account, the network and the EUI.
 */
export function lookUpKeyOf(account: NamingAccount, eui: string): string {
  return account.isVendor
    ? `vendor ${account.network} ${eui}`
    : `own ${account.organizationId} ${eui}`
}

/** Finds the registered devices under these keys; `mayBeNamedBy` checks them further. */
export async function findDevices(db: Queryable, keys: readonly string[]): Promise<KnownDevice[]> {
  const parts = keys.map((key) => key.split(' '))
  const columnsOf = (kind: string) => {
    const rows = parts.filter(([each]) => each === kind)
    return [rows.map(([, scope]) => scope), rows.map(([, , eui]) => eui)]
  }
  const [own, vendor] = [columnsOf('own'), columnsOf('vendor')]
  // All machines are asked only for devices at the operator's account.
  const isOwn = vendor[0]?.length === 0 && (await formFor(db, { whole: false, spread: true }))
  if (isOwn) return db.query<KnownDevice>(spreadOwnDevices, own)
  const text = await formFor(db, { whole: devicesByKey, spread: spreadDevicesByKey })
  return db.query<KnownDevice>(text, [...own, ...vendor])
}

const foundColumns = `devices.id, devices.organization_id, devices.eui, devices.network,
  devices.register_method, devices.other_network, devices.other_method, devices.type_id, devices.xmin::text as version,
  devices.sealed_variables`
const foundDevice = `select ${foundColumns} from devices`

/**
 * Asks for the next EUI, not an equal one, so that every look-up walks one index: see `storedIn`
 * (uplinks/store/key-queries.ts).
 */
const devicesByKey = `select found.*, device_types.revision as type_revision
  from (
    select 'own ' || given.organization_id || ' ' || given.eui as key, next.*
    from unnest($1::bigint[], $2::text[]) as given(organization_id, eui)
    cross join lateral (
      ${foundDevice}
      where devices.organization_id = given.organization_id and devices.eui >= given.eui
        and devices.deleted_at is null
      order by devices.eui
      limit 1
    ) as next
    where next.eui = given.eui
    union all
    select 'vendor ' || given.network || ' ' || given.eui as key, next.*
    from unnest($3::text[], $4::text[]) as given(network, eui)
    cross join lateral (
      ${foundDevice}
      where devices.register_method = 'vendor' and devices.network = given.network
        and devices.eui >= given.eui and devices.deleted_at is null
      order by devices.eui
      limit 1
    ) as next
    where next.eui = given.eui
    union all
    select 'vendor ' || given.network || ' ' || given.eui as key, next.*
    from unnest($3::text[], $4::text[]) as given(network, eui)
    cross join lateral (
      ${foundDevice}
      where devices.other_method = 'vendor' and devices.other_network = given.network
        and devices.eui >= given.eui and devices.deleted_at is null
      order by devices.eui
      limit 1
    ) as next
    where next.eui = given.eui
  ) as found
  left join device_types on device_types.id = found.type_id`

const spreadOwnDevices = `select 'own ' || given.organization_id || ' ' || given.eui as key, ${foundColumns},
    device_types.revision as type_revision
  from unnest($1::bigint[], $2::text[]) as given(organization_id, eui)
  join devices on devices.organization_id = given.organization_id and devices.eui = given.eui
    and devices.deleted_at is null
  left join device_types on device_types.id = devices.type_id
  where ${isOfAny('devices.organization_id', '$1')}`

/** Where devices are on several machines, each looks for all of the keys. */
const spreadDevicesByKey = `with own as materialized (
    select 'own ' || given.organization_id || ' ' || given.eui as key, ${foundColumns}
    from unnest($1::bigint[], $2::text[]) as given(organization_id, eui)
    join devices on devices.organization_id = given.organization_id and devices.eui = given.eui
      and devices.deleted_at is null
    where ${isOfAny('devices.organization_id', '$1')}
  ), vendor as materialized (
    select 'vendor ' || given.network || ' ' || given.eui as key, ${foundColumns}
    from unnest($3::text[], $4::text[]) as given(network, eui)
    join devices on devices.register_method = 'vendor' and devices.network = given.network
      and devices.eui = given.eui and devices.deleted_at is null
  ), moving as materialized (
    select 'vendor ' || given.network || ' ' || given.eui as key, ${foundColumns}
    from unnest($3::text[], $4::text[]) as given(network, eui)
    join devices on devices.other_method = 'vendor' and devices.other_network = given.network
      and devices.eui = given.eui and devices.deleted_at is null
  ), found as materialized (
    select * from own union all select * from vendor union all select * from moving
  )
  select found.*, device_types.revision as type_revision
  from found
  left join device_types on device_types.id = found.type_id`
