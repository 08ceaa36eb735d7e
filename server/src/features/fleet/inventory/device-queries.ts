import type { Queryable } from '../../../db/connect.ts'
import type { Sealer } from '../../../db/seal.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import { numberArray, textArray } from '../../../db/statements.ts'
import { doTogether } from '../../../db/together.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { firstCustomTypeId } from '../../../sensors/index.ts'
import { ownTypeOfRow } from '../../../sensors/own-measurements.ts'
import type { StatusChange } from '../../../sensors/sensor.ts'
import { latestUplink } from '../../../uplinks/rows/by-ordinal.ts'
import type { OwnerColumns } from '../../people/users/user-record.ts'
import { type Reference, referredDevice } from './references.ts'

/** What most changes of a device need to know of it. */
export interface BriefDevice {
  id: number
  /** In its normal form. */
  eui: string
  name: string
  type_id: number
  is_console_only: boolean
  /** Key of its network. */
  network: string
  /** The LoRaWAN port of its latest uplink. */
  latest_port: number | null
}

/** SQL: what is known of the type of a device (`OwnType`); null for a built-in one. */
export const ownType = `case when devices.type_id >= ${firstCustomTypeId} then (
    select ${ownTypeOfRow} from device_types
    where device_types.organization_id = devices.organization_id
      and device_types.id = devices.type_id
  ) end`

/** A device that a request names. */
export interface NamedDevice {
  organizationId: number
  reference: Reference
}

/** Finds devices that requests name. Combines the calls of one organization. */
export function findDevicesTogether(
  db: Queryable,
): (named: NamedDevice) => Promise<BriefDevice | undefined> {
  return doTogether(
    (named) =>
      findAll(
        db,
        named[0]?.organizationId ?? 0,
        named.map(({ reference }) => reference),
      ),
    ({ organizationId }) => organizationId,
  )
}

/** The device of each reference; undefined where there is none. */
async function findAll(
  db: Queryable,
  organizationId: number,
  references: readonly Reference[],
): Promise<(BriefDevice | undefined)[]> {
  // Two look-ups, each in an index. A condition with `case` or `or` would read all devices.
  const rows = await db.query<BriefDevice & { place: number }>(
    `select asked.place, found.*, (
         select latest.f_port
         from device_states as states
         cross join lateral ${latestUplink('uplinks.f_port')} as latest
         where states.organization_id = $1 and states.device_id = found.id
       ) as latest_port
     from unnest($2::bigint[], $3::text[]) with ordinality as asked (id, eui, place)
     cross join lateral (
       select ${columns} from devices
       where organization_id = $1 and eui = asked.eui and deleted_at is null
       union all
       select ${columns} from devices
       where organization_id = $1 and id = asked.id and deleted_at is null
       limit 1
     ) as found`,
    [
      organizationId,
      numberArray(references.map(({ id }) => id ?? undefined)),
      textArray(references.map(({ eui }) => eui)),
    ],
  )
  const found = new Map(rows.map(({ place, ...device }) => [place, device]))
  return references.map((_, index) => found.get(index + 1))
}

const columns = 'id, eui, name, type_id, is_console_only, network'

/**
 * What the codec of a device gets as `input.variables`, as at ChirpStack. Sealed: people keep tokens of
 * other services there.
 */
export type DeviceVariables = Record<string, string>

/** @throws SealError if the key of the service is another one. */
export function openVariables(
  sealer: Pick<Sealer, 'open'>,
  deviceId: number,
  sealed: Buffer | null | undefined,
): DeviceVariables {
  if (!sealed) return {}
  return JSON.parse(sealer.open(sealed, sealContext('deviceVariables', deviceId)))
}

/** Undefined if there is no such device. */
export async function findVariables(
  db: Queryable,
  sealer: Pick<Sealer, 'open'>,
  organizationId: number,
  { id, eui }: Reference,
): Promise<{ deviceId: number; variables: DeviceVariables } | undefined> {
  const [device] = await db.query<{ id: number; sealed_variables: Buffer | null }>(
    `select devices.id, devices.sealed_variables from devices
     where devices.organization_id = $1 and devices.deleted_at is null
       and devices.id = ${referredDevice}`,
    [organizationId, id, eui],
  )
  if (!device) return undefined
  const variables = openVariables(sealer, device.id, device.sealed_variables)
  return { deviceId: device.id, variables }
}

export async function storeVariables(
  db: Queryable,
  sealer: Pick<Sealer, 'seal'>,
  organizationId: number,
  {
    deviceId,
    variables,
    now,
  }: { deviceId: number; variables: DeviceVariables; now: Moment | Date },
): Promise<void> {
  const isEmpty = Object.keys(variables).length === 0
  const sealed = isEmpty
    ? null
    : sealer.seal(JSON.stringify(variables), sealContext('deviceVariables', deviceId))
  await db.query(
    `update devices set sealed_variables = $3, updated_at = $4
     where organization_id = $1 and id = $2`,
    [organizationId, deviceId, sealed, now],
  )
}

export type RegisterStatus = 'pending' | 'active' | 'register_error'

/** A device with its state and the user who registered it. */
export interface StoredDevice extends OwnerColumns {
  id: number
  device_eui: string
  join_eui: string
  name: string
  type_id: number
  /** Null where the type is built in, not made by the organization. */
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
  /** The plan of the subscription that bills the device. */
  plan_code: string | null
}

/** The columns of `StoredDevice`, from `devices` and `deviceJoins`. */
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

export const deviceJoins = `join device_states as states on states.organization_id = devices.organization_id
    and states.device_id = devices.id
  join users on users.id = devices.user_id
  left join device_types on device_types.organization_id = devices.organization_id
    and device_types.id = devices.type_id
  left join gateways on gateways.organization_id = devices.organization_id
    and gateways.id = devices.gateway_id and gateways.deleted_at is null
  left join subscriptions on subscriptions.organization_id = devices.organization_id
    and subscriptions.ended_at is null
    and coalesce(subscriptions.plan -> 'networks' ? devices.network, true)`

export async function find(
  db: Queryable,
  organizationId: number,
  { id, eui }: Reference,
): Promise<StoredDevice | undefined> {
  const devices = await db.query<StoredDevice>(
    `select ${deviceColumns} from devices ${deviceJoins}
     where devices.organization_id = $1 and devices.deleted_at is null
       and devices.id = ${referredDevice}`,
    [organizationId, id, eui],
  )
  return devices[0]
}

/** Finds the device that was just registered, even if it has been deleted since. */
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
