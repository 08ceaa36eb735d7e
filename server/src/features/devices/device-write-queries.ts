import type { Queryable } from '../../db/connect.ts'
import type { NewDevice, RegisterStatus } from '../inventory/device-queries.ts'
import { remainingDevices } from '../inventory/quota-queries.ts'
import type { KnownDevice } from './batch-plan.ts'

/** One statement each for all devices of a batch, however many. */

/**
 * Locks the quota until the transaction ends, and tells what is left of it: less than nothing when
 * the limit was lowered below what there is.
 */
export async function lockRemaining(tx: Queryable, organizationId: number): Promise<number> {
  const rows = await tx.query<{ remaining: number }>(
    `select ${remainingDevices} as remaining
     from organizations where id = $1 for no key update`,
    [organizationId],
  )
  return rows[0]?.remaining ?? 0
}

/** Changes the number of devices, within the quota that `lockRemaining` has told. */
export async function changeCount(
  tx: Queryable,
  organizationId: number,
  change: number,
): Promise<void> {
  await tx.query('update organizations set device_count = device_count + $2 where id = $1', [
    organizationId,
    change,
  ])
}

/** The organization's devices under these EUIs. */
export function findByEuis(
  tx: Queryable,
  organizationId: number,
  euis: readonly string[],
): Promise<KnownDevice[]> {
  return tx.query<KnownDevice>(
    `select 'device' as kind, id, eui, device_eui, network, register_method, register_status,
       is_console_only
     from devices where organization_id = $1 and eui = any($2) and deleted_at is null`,
    [organizationId, euis],
  )
}

/** A device of another organization at the operator's account, which holds an EUI once. */
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
     where devices.organization_id <> $1`,
    [organizationId, places.map(({ network }) => network), places.map(({ eui }) => eui)],
  )
}

export async function renameAll(
  tx: Queryable,
  organizationId: number,
  renames: readonly { id: number; name: string }[],
  now: Date,
): Promise<void> {
  await tx.query(
    `update devices set name = given.name, updated_at = $3
     from json_to_recordset($2) as given(id bigint, name text)
     where devices.organization_id = $1 and devices.id = given.id`,
    [organizationId, JSON.stringify(renames), now],
  )
}

/** Leaves tombstones. */
export async function markAllDeleted(
  tx: Queryable,
  organizationId: number,
  ids: readonly number[],
  now: Date,
): Promise<void> {
  await tx.query(
    `update devices set deleted_at = $3, updated_at = $3
     where organization_id = $1 and id = any($2)`,
    [organizationId, ids, now],
  )
}

export type DeviceToInsert = Omit<NewDevice, 'createdAt' | 'userId'> & {
  id: number
  /** Null where it is not known: the device was adopted from its network. */
  sealedKey: Buffer | null
  registerStatus: RegisterStatus
}

/**
 * Inserts devices with empty states, and tells how many: those whose EUI is taken are left out. In the order of EUIs, so that two batches that share some do not wait for each other.
 */
export async function insertAll(
  tx: Queryable,
  organizationId: number,
  devices: readonly DeviceToInsert[],
  origin: { userId: number; now: Date },
): Promise<number> {
  const given = devices.map(({ sealedKey, ...device }) => ({
    ...device,
    sealedKey: sealedKey?.toString('hex') ?? null,
  }))
  const rows = await tx.query<{ inserted: number }>(
    `with device as (
       insert into devices (
         id, organization_id, device_eui, join_eui, sealed_key, name, type_id, network,
         register_method, app_region, frequency_plan, is_console_only, register_status, user_id,
         created_at, updated_at, commissioned_at, gateway_id
       )
       overriding system value
       select id, $1, "deviceEui", "joinEui", decode("sealedKey", 'hex'), name, "typeId", network,
         "registerMethod", "appRegion", "frequencyPlan", "isConsoleOnly",
         "registerStatus", $3, $4, $4, $4, "gatewayId"
       from json_to_recordset($2) as given(
         id bigint, "deviceEui" text, "joinEui" text, "sealedKey" text, name text,
         "typeId" integer, network text, "registerMethod" text, "appRegion" text,
         "frequencyPlan" text, "isConsoleOnly" boolean, "registerStatus" text, "gatewayId" bigint
       )
       order by upper("deviceEui")
       on conflict do nothing
       returning id, organization_id
     ), state as (
       insert into device_states (device_id, organization_id) select id, organization_id from device
     )
     select count(*) as inserted from device`,
    [organizationId, JSON.stringify(given), origin.userId, origin.now],
  )
  return rows[0]?.inserted ?? 0
}
