import type { Queryable } from '../../../db/connect.ts'
import { noteDevices } from '../../../uplinks/rollups/rollup-queries.ts'
import type { RegisterMethod } from '../../accounts/connections/account-queries.ts'
import { queueRegistration } from '../../outgoing/events/webhook-event-queries.ts'
import type { RegisterStatus } from '../inventory/device-queries.ts'
import { type Place, placeColumns, placeOfJson, setPlace } from '../inventory/places.ts'
import { type Reference, referredDevice } from '../inventory/references.ts'
import type { Tags } from '../inventory/tags.ts'

/** Each function is one statement, for any number of devices. */

/** A stored device, with what changes, deletions and the outbox need. */
export interface RegisteredDevice {
  kind: 'device'
  id: number
  eui: string
  /** As it was sent; `eui` is normalized. */
  device_eui: string
  network: string
  register_method: RegisterMethod
  register_status: RegisterStatus
  is_console_only: boolean
  /** What its network has under the EUI is not ours. */
  is_refused: boolean
}

const columns = `'device' as kind, devices.id, devices.eui, devices.device_eui, devices.network,
  devices.register_method, devices.register_status, devices.is_console_only, devices.is_refused`

/** Finds the organization's devices under these EUIs, each by a walk in one index: see `devicesByKey`. */
export function findByEuis(
  tx: Queryable,
  organizationId: number,
  euis: readonly string[],
): Promise<RegisteredDevice[]> {
  return tx.query<RegisteredDevice>(
    `select ${columns}
     from unnest($2::text[]) as given (eui)
     cross join lateral (
       select * from devices
       where organization_id = $1 and devices.eui >= given.eui and deleted_at is null
       order by devices.eui
       limit 1
     ) as devices
     where devices.eui = given.eui`,
    [organizationId, [...new Set(euis)]],
  )
}

/** Locks the device that a path names. */
export async function lockDevice(
  tx: Queryable,
  organizationId: number,
  { id, eui }: Reference,
): Promise<RegisteredDevice | undefined> {
  const devices = await tx.query<RegisteredDevice>(
    `select ${columns} from devices
     where organization_id = $1 and deleted_at is null and id = ${referredDevice}
     for update`,
    [organizationId, id, eui],
  )
  return devices[0]
}

interface DeviceRow {
  id: number
  deviceEui: string
  joinEui: string
  /** Null where it is not known: the device was adopted from its network. */
  sealedKey: Buffer | null
  name: string
  typeId: number
  network: string
  registerMethod: RegisterMethod
  registerStatus: RegisterStatus
  /** Why it has to wait. */
  registerError?: string | undefined
  gatewayId: number | null
  appRegion: string | null
  frequencyPlan: string | null
  networkProfile?: string | undefined
  /** Without its key. */
  radio?: object | undefined
  sealedNetworkKey?: Buffer | undefined
  isConsoleOnly: boolean
  tags?: Tags | undefined
  place?: Place | undefined
}

/**
 * Inserts devices with empty states, counts them in the locked quota, and returns their number.
 * Devices whose EUI is taken are left out. The order of EUIs keeps two batches with EUIs in common
 * from a deadlock.
 */
export async function insertAll(
  tx: Queryable,
  organizationId: number,
  devices: readonly DeviceRow[],
  origin: { userId: number; now: Date },
): Promise<number> {
  const given = devices.map((device) => ({
    ...device,
    sealedKey: device.sealedKey?.toString('hex') ?? null,
    sealedNetworkKey: device.sealedNetworkKey?.toString('hex') ?? null,
  }))
  const rows = await tx.query<{ inserted: number }>(
    `with device as (
       insert into devices (
         id, organization_id, device_eui, join_eui, sealed_key, name, type_id, network,
         register_method, app_region, frequency_plan, is_console_only, register_status, user_id,
         created_at, updated_at, commissioned_at, gateway_id, network_profile,
         radio, sealed_network_key, register_error, tags, ${placeColumns}
       )
       overriding system value
       select id, $1, "deviceEui", "joinEui", decode("sealedKey", 'hex'), name, "typeId", network,
         "registerMethod", "appRegion", "frequencyPlan", "isConsoleOnly",
         "registerStatus", $3, $4, $4, $4, "gatewayId", "networkProfile",
         radio, decode("sealedNetworkKey", 'hex'), "registerError", coalesce(tags, '{}'), ${placeOfJson}
       from json_to_recordset($2) as given(
         id bigint, "deviceEui" text, "joinEui" text, "sealedKey" text, name text,
         "typeId" integer, network text, "registerMethod" text, "appRegion" text,
         "frequencyPlan" text, "isConsoleOnly" boolean, "registerStatus" text, "gatewayId" bigint,
         "networkProfile" text, radio jsonb, "sealedNetworkKey" text, "registerError" text,
         tags jsonb, place jsonb
       )
       order by upper("deviceEui")
       on conflict do nothing
       returning id, organization_id, register_status
     ), told as (${queueRegistration('device', { status: 'register_status' })}), state as (
       insert into device_states (device_id, organization_id) select id, organization_id from device
     ), quota as (
       update organizations set device_count = device_count + (select count(*) from device)
       where id = $1
     )
     select count(*) as inserted from device`,
    [organizationId, JSON.stringify(given), origin.userId, origin.now],
  )
  return rows[0]?.inserted ?? 0
}

/** New values of a device; undefined leaves a value as it is. */
export interface ChangedColumns {
  id: number
  name?: string | undefined
  typeId?: number | undefined
  sealedKey?: Buffer | undefined
  notes?: string | null | undefined
  tags?: Tags | undefined
  gatewayId?: number | null | undefined
  /** Null takes it away. */
  place?: Place | null | undefined
}

/** Returns the changed devices; devices deleted meanwhile are left out. */
export async function changeAll(
  tx: Queryable,
  organizationId: number,
  changes: readonly ChangedColumns[],
  now: Date,
): Promise<RegisteredDevice[]> {
  const given = changes.map((change) => ({
    ...change,
    sealedKey: change.sealedKey?.toString('hex'),
    hasNotes: change.notes !== undefined,
    hasGateway: change.gatewayId !== undefined,
    hasPlace: change.place !== undefined,
  }))
  const typed = changes.filter(({ typeId }) => typeId !== undefined)
  if (typed.length > 0) {
    await tx.query(
      `with changed as (
         select devices.id as device_id
         from json_to_recordset($2) as given(id bigint, "typeId" integer)
         join devices on devices.organization_id = $1 and devices.id = given.id
         where devices.type_id <> given."typeId"
       )
       ${noteDevices('changed')}`,
      [organizationId, JSON.stringify(typed.map(({ id, typeId }) => ({ id, typeId })))],
    )
  }
  return tx.query<RegisteredDevice>(
    `update devices
     set name = coalesce(given.name, devices.name), updated_at = $3,
       type_id = coalesce(given."typeId", devices.type_id),
       sealed_key = coalesce(decode(given."sealedKey", 'hex'), devices.sealed_key),
       extra_notes = case when given."hasNotes" then given.notes else devices.extra_notes end,
       tags = coalesce(given.tags, devices.tags),
       gateway_id =
         case when given."hasGateway" then given."gatewayId" else devices.gateway_id end,
       ${setPlace('devices')}
     from json_to_recordset($2) as given(
       id bigint, name text, "typeId" integer, "sealedKey" text, "hasNotes" boolean, notes text, tags jsonb,
       "hasGateway" boolean, "gatewayId" bigint, "hasPlace" boolean, place jsonb
     )
     where devices.organization_id = $1 and devices.id = given.id and devices.deleted_at is null
     returning ${columns}`,
    [organizationId, JSON.stringify(given), now],
  )
}

/** Leaves tombstones, and returns the devices to the locked quota. */
export async function markAllDeleted(
  tx: Queryable,
  organizationId: number,
  ids: readonly number[],
  now: Date,
): Promise<void> {
  await tx.query(
    `with gone as (
       update devices set deleted_at = $3, updated_at = $3
       where organization_id = $1 and id = any($2)
       returning id, organization_id
     ), told as (${queueRegistration('gone', { status: "'deleted'" })})
     update organizations set device_count = device_count - (select count(*) from gone)
     where id = $1`,
    [organizationId, ids, now],
  )
}
