import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { latestOf } from '../../../uplinks/rows/by-ordinal.ts'
import { type Reference, referredDevice } from '../inventory/references.ts'

/** A stored uplink with its reading. */
export interface PastUplink {
  id: number
  device_eui: string
  device_pk: number
  sealed_variables: Buffer | null
  event_time: Moment
  event_type: string
  decoded_object: Record<string, unknown>
  /** Hexadecimal. */
  payload: string
  f_port: number
}

const columns = `uplinks.id, uplinks.event_time, uplinks.event_type,
  uplinks.decoded_object, encode(uplinks.payload, 'hex') as payload, uplinks.f_port, uplinks.ordinal`

/** The latest uplinks of the devices that were heard last, newest first. */
export function listLatestUplinks(
  db: Queryable,
  organizationId: number,
  id: number,
  most: number,
): Promise<PastUplink[]> {
  return db.query<PastUplink>(
    `select latest.*, devices.device_eui, devices.id as device_pk, devices.sealed_variables from (
       select devices.id, devices.device_eui, devices.sealed_variables, states.uplink_count
       from devices
       join device_states as states on states.organization_id = devices.organization_id
         and states.device_id = devices.id
       where devices.organization_id = $1 and devices.type_id = $2 and devices.deleted_at is null
       order by states.last_seen desc nulls last
       limit $3
     ) as devices
     cross join lateral ${latestOf(columns, {
       device: 'devices.id',
       count: 'devices.uplink_count',
       most: '$3',
     })} as latest
     order by latest.ordinal desc
     limit $3`,
    [organizationId, id, most],
  )
}

/** The latest uplinks of one device, newest first. Undefined if there is no such device. */
export async function listLatestOfDevice(
  db: Queryable,
  organizationId: number,
  { id, eui }: Reference,
  most: number,
): Promise<PastUplink[] | undefined> {
  const rows = await db.query<PastUplink | (PastUplink & { id: null })>(
    `select latest.*, devices.device_eui, devices.id as device_pk, devices.sealed_variables
     from devices
     join device_states as states on states.organization_id = devices.organization_id
       and states.device_id = devices.id
     left join lateral ${latestOf(columns, {
       device: 'devices.id',
       count: 'states.uplink_count',
       most: '$4',
     })} as latest on true
     where devices.organization_id = $1 and devices.deleted_at is null
       and devices.id = ${referredDevice}
     order by latest.ordinal desc`,
    [organizationId, id, eui, most],
  )
  return rows.length === 0 ? undefined : rows.filter((row) => row.id !== null)
}
