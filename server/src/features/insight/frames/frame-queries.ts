import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { byOrdinals } from '../../../uplinks/rows/by-ordinal.ts'
import { type Reference, referredDevice } from '../../fleet/inventory/references.ts'

export interface StoredFrame {
  id: number
  type_id: number
  /** Null for a built-in type. */
  payload_format: 'ts013' | 'cayenne_lpp' | null
  event_time: Moment
  event_type: string
  decoded_object: Record<string, unknown>
  /** Hexadecimal. */
  payload: string
  f_port: number
  f_cnt: number
}

const oneOfDevice = (columns: string, ordinal: string) =>
  byOrdinals(columns, { device: 'device.id', first: ordinal, last: ordinal })

/**
 * Reads one uplink of a device by its id: `[organization, id of the device, EUI, id]`.
 *
 * There is no index of uplinks by id, which would cost every one of a hundred million on arrival.
 * Within a device, ids ascend with the ordinals: both are given under the lock of the organization's
 * counter. So the ordinal is found by halving: 27 steps at the most among 100 million uplinks, each of
 * three look-ups in an index.
 */
const uplinkByIdQuery = `with recursive device as (
    select devices.organization_id, devices.id, devices.type_id, states.uplink_count,
      states.first_ordinal
    from devices
    join device_states as states on states.organization_id = devices.organization_id
      and states.device_id = devices.id
    where devices.organization_id = $1 and devices.deleted_at is null
      and devices.id = ${referredDevice}
  ), halving as (
    select device.first_ordinal as lowest, device.uplink_count as highest from device
    union all
    select case when middle.id < $4 then (lowest + highest) / 2 + 1 else lowest end,
      case when middle.id < $4 then highest else (lowest + highest) / 2 end
    from halving
    cross join device
    cross join lateral (
      select coalesce((
        select uplinks.id from ${oneOfDevice('uplinks.id', '(lowest + highest) / 2')} as uplinks
      ), 0) as id
    ) as middle
    where lowest < highest
  )
  select uplinks.id, device.type_id, device_types.payload_format, uplinks.event_time,
    uplinks.event_type, uplinks.decoded_object, encode(uplinks.payload, 'hex') as payload,
    uplinks.f_port, uplinks.f_cnt
  from device
  join halving on halving.lowest = halving.highest
  cross join lateral ${oneOfDevice('uplinks.*', 'halving.lowest')} as uplinks
  left join device_types on device_types.id = device.type_id
    and device_types.organization_id = device.organization_id
  where uplinks.id = $4`

export async function findFrame(
  db: Queryable,
  organizationId: number,
  { id, eui }: Reference,
  uplinkId: number,
): Promise<StoredFrame | undefined> {
  const rows = await db.query<StoredFrame>(uplinkByIdQuery, [organizationId, id, eui, uplinkId])
  return rows[0]
}
