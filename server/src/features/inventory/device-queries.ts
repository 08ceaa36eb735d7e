import type { Queryable } from '../../db/connect.ts'
import type { Moment } from '../../http/timestamps.ts'
import type { StatusChange } from '../../sensors/sensor.ts'
import type { OwnerColumns } from '../organizations/owner-record.ts'
import { type DeviceReference, referredDevice } from './references.ts'

export type RegisterStatus = 'pending' | 'active' | 'register_error'

/** A device with its state and the user who registered it. */
export interface StoredDevice extends OwnerColumns {
  id: number
  device_eui: string
  join_eui: string
  name: string
  type_id: number
  /** Of a type that the organization made; null where it is built in. */
  custom_type_name: string | null
  custom_part_number: string | null
  network: string
  app_region: string | null
  extra_notes: string | null
  is_console_only: boolean
  is_active: boolean
  register_status: RegisterStatus
  register_error: string | null
  created_at: Moment
  commissioned_at: Moment
  last_seen: Moment | null
  status: StatusChange
  gateway_id: number | null
  gateway_name: string | null
  gateway_eui: string | null
  /** Of the subscription that it is billed under. */
  plan_code: string | null
}

/** Of `StoredDevice`, from `devices` and `deviceJoins`. */
export const deviceColumns = `devices.id, devices.device_eui, devices.join_eui, devices.name, devices.type_id,
  device_types.type_name as custom_type_name, device_types.part_number as custom_part_number,
  devices.network, devices.app_region, devices.extra_notes, devices.is_console_only,
  devices.is_active, devices.register_status, devices.register_error, devices.created_at,
  devices.commissioned_at, states.last_seen, states.status, gateways.id as gateway_id,
  gateways.name as gateway_name, gateways.gateway_eui,
  subscriptions.plan ->> 'plan_code' as plan_code, users.id as user_id,
  users.timezone_format as user_timezone_format, users.timezone_id as user_timezone_id,
  users.first_name as user_first_name, users.last_name as user_last_name,
  users.email as user_email, users.last_login_at as user_last_login_at,
  users.created_at as user_created_at`

export const deviceJoins = `join device_states as states on states.device_id = devices.id
  join users on users.id = devices.user_id
  left join device_types on device_types.id = devices.type_id
  left join gateways on gateways.id = devices.gateway_id and gateways.deleted_at is null
  left join subscriptions on subscriptions.organization_id = devices.organization_id
    and subscriptions.ended_at is null
    and coalesce(subscriptions.plan -> 'networks' ? devices.network, true)`

export async function find(
  db: Queryable,
  organizationId: number,
  { id, eui }: DeviceReference,
): Promise<StoredDevice | undefined> {
  const devices = await db.query<StoredDevice>(
    `select ${deviceColumns} from devices ${deviceJoins}
     where devices.organization_id = $1 and devices.deleted_at is null
       and devices.id = ${referredDevice}`,
    [organizationId, id, eui],
  )
  return devices[0]
}

/** The device that was just registered, though it may have been deleted since. */
export async function findRegistered(
  db: Queryable,
  organizationId: number,
  id: number,
): Promise<StoredDevice> {
  const devices = await db.query<StoredDevice>(
    `select ${deviceColumns} from devices ${deviceJoins} where devices.organization_id = $1 and devices.id = $2`,
    [organizationId, id],
  )
  const device = devices[0]
  if (!device) throw new Error(`device ${id} is gone right after its registration`)
  return device
}

export interface NewDevice {
  deviceEui: string
  joinEui: string
  name: string
  typeId: number
  network: string
  registerMethod: 'user_account' | 'vendor'
  gatewayId: number | null
  appRegion: string | null
  frequencyPlan: string | null
  isConsoleOnly: boolean
  userId: number
  createdAt: Date
}

/** Inserts the device with an empty state; its key is sealed afterwards, under its id. */
export async function insert(
  tx: Queryable,
  organizationId: number,
  device: NewDevice,
): Promise<number> {
  const rows = await tx.query<{ id: number }>(
    `with device as (
       insert into devices (
         organization_id, device_eui, join_eui, sealed_key, name, type_id, network,
         register_method, app_region, frequency_plan, is_console_only, register_status, user_id,
         created_at, updated_at, commissioned_at, gateway_id
       )
       values ($1, $2, $3, '', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13, $13, $14)
       returning id, organization_id
     ), state as (
       insert into device_states (device_id, organization_id) select id, organization_id from device
     )
     select id from device`,
    [
      organizationId,
      device.deviceEui,
      device.joinEui,
      device.name,
      device.typeId,
      device.network,
      device.registerMethod,
      device.appRegion,
      device.frequencyPlan,
      device.isConsoleOnly,
      device.isConsoleOnly ? 'active' : 'pending',
      device.userId,
      device.createdAt,
      device.gatewayId,
    ],
  )
  const id = rows[0]?.id
  if (id === undefined) throw new Error('the database returned no id for a new device')
  return id
}

/** What the outbox needs to know of a device that was changed. */
export interface ChangedDevice {
  kind: 'device'
  id: number
  eui: string
  network: string
  register_method: string
  register_status: RegisterStatus
  is_console_only: boolean
}

const changed = `'device' as kind, id, eui, network, register_method, register_status,
  is_console_only`

/** What is to be different of a device; what is left out stays as it is. */
export interface DetailChanges {
  name?: string | undefined
  typeId?: number | undefined
  sealedKey?: Buffer | undefined
  /** Null takes it away, like the gateway. */
  notes?: string | null | undefined
  gatewayId?: number | null | undefined
}

export async function change(
  tx: Queryable,
  organizationId: number,
  id: number,
  changes: DetailChanges,
  now: Date,
): Promise<ChangedDevice | undefined> {
  const { name, typeId, sealedKey, notes, gatewayId } = changes
  const rows = await tx.query<ChangedDevice>(
    `update devices set name = coalesce($3, name), type_id = coalesce($4, type_id),
       sealed_key = coalesce($5, sealed_key), updated_at = $10,
       extra_notes = case when $6 then $7 else extra_notes end,
       gateway_id = case when $8 then $9::bigint else gateway_id end
     where organization_id = $1 and id = $2 and deleted_at is null
     returning ${changed}`,
    [
      organizationId,
      id,
      ...[name, typeId, sealedKey].map((value) => value ?? null),
      ...[notes !== undefined, notes ?? null, gatewayId !== undefined, gatewayId ?? null],
      now,
    ],
  )
  return rows[0]
}

/** Leaves a tombstone and gives the quota back, whose row the caller has locked. */
export async function markDeleted(
  tx: Queryable,
  organizationId: number,
  { id, eui }: DeviceReference,
  now: Date,
): Promise<ChangedDevice | undefined> {
  const rows = await tx.query<ChangedDevice>(
    `with gone as (
       update devices set deleted_at = $4, updated_at = $4
       where organization_id = $1 and deleted_at is null and id = ${referredDevice}
       returning ${changed}
     ), quota as (
       update organizations set device_count = device_count - 1
       where id = $1 and exists (select from gone)
     )
     select * from gone`,
    [organizationId, id, eui, now],
  )
  return rows[0]
}
