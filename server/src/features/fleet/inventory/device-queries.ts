import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import type { StatusChange } from '../../../sensors/sensor.ts'
import type { OwnerColumns } from '../../people/users/user-record.ts'
import { type Reference, referredDevice } from './references.ts'

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
