import type { Queryable } from '../../../db/connect.ts'
import { formFor } from '../../../db/distribution/form-for.ts'
import type { RegisterMethod } from '../../accounts/connections/account-queries.ts'

/** Which EUIs are taken, here or at the operator's account. */

/** The account of a registration, as far as it is known. */
interface AccountKey {
  organization_id: number
  network: string | undefined
  register_method: RegisterMethod | undefined
}

/**
 * Returns the EUIs that are taken: by a device of the organization on any network, or, at the
 * operator's account, by a device of any organization. Looks each EUI up along the indexes: during
 * an import the planner's statistics lag behind, and it would read all rows for each thousand.
 */
export async function findTakenDevices(
  db: Queryable,
  { organization_id, network, register_method }: AccountKey,
  euis: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ eui: string }>(
    await formFor(db, { whole: takenEuis, spread: takenAnywhere }),
    [euis, organization_id, network ?? null, register_method ?? null],
  )
  return new Set(rows.map(({ eui }) => eui))
}

const takenEuis = `select given.eui
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
       union all
       (select devices.eui from devices
        where $4 = 'vendor' and devices.other_method = 'vendor' and devices.other_network = $3
          and devices.eui >= given.eui and devices.deleted_at is null
        order by devices.eui
        limit 1)
     ) as next
     where next.eui = given.eui`

const takenAnywhere = `select eui from devices
     where organization_id = $2 and eui = any($1::text[]) and deleted_at is null
     union all
     select eui from devices
     where $4 = 'vendor' and register_method = 'vendor' and network = $3
       and eui = any($1::text[]) and deleted_at is null
     union all
     select eui from devices
     where $4 = 'vendor' and other_method = 'vendor' and other_network = $3
       and eui = any($1::text[]) and deleted_at is null`

/**
 * A device of another organization at the operator's account, or on its way there. The account holds
 * an EUI once.
 */
export interface VendorDevice {
  network: string
  eui: string
}

export function findVendorDevices(
  tx: Queryable,
  organizationId: number,
  places: readonly VendorDevice[],
): Promise<VendorDevice[]> {
  return tx.query<VendorDevice>(
    `select devices.network, devices.eui
     from unnest($2::text[], $3::text[]) as given(network, eui)
     join devices on devices.register_method = 'vendor' and devices.network = given.network
       and devices.eui = given.eui and devices.deleted_at is null
     where devices.organization_id <> $1
     union all
     select devices.other_network, devices.eui
     from unnest($2::text[], $3::text[]) as given(network, eui)
     join devices on devices.other_method = 'vendor' and devices.other_network = given.network
       and devices.eui = given.eui and devices.deleted_at is null
     where devices.organization_id <> $1`,
    [organizationId, places.map(({ network }) => network), places.map(({ eui }) => eui)],
  )
}

/** Locks for all EUIs: few enough for the lock table, enough that others seldom wait. A power of two. */
const lockParts = 256

/**
 * Finds those of these that another organization has at the operator's account. The others stay free
 * until the transaction ends. Moves to the account wait for everyone else who gives it such an EUI. Registrations
 * wait only for moves on one PostgreSQL, where an index keeps them apart, and for each other on Citus,
 * which has no index over several organizations.
 */
export async function findTakenAtOperator(
  tx: Queryable,
  organizationId: number,
  places: readonly VendorDevice[],
  by: 'registration' | 'move',
): Promise<VendorDevice[]> {
  if (places.length === 0) return []
  const registering = await formFor(tx, { whole: '_shared', spread: '' })
  const kind = by === 'move' ? '' : registering
  await tx.query(
    `select pg_advisory_xact_lock${kind}(hashtext('devices of the operator'), part) from (
       select distinct hashtext(network || ' ' || eui) & ${lockParts - 1} as part
       from unnest($1::text[], $2::text[]) as given (network, eui)
       order by 1
     ) as parts`,
    [places.map(({ network }) => network), places.map(({ eui }) => eui)],
  )
  return findVendorDevices(tx, organizationId, places)
}
