import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { byOrdinals } from '../../../uplinks/rows/by-ordinal.ts'
import type { StoredText } from '../../../uplinks/rows/message.ts'

/** The first signs of life of a device. */
export interface Arrival {
  created_at: Moment
  joined_at: Moment | null
  first_uplink: ({ time: Moment } & StoredText) | null
  /** Gateways that the organization has seen within a day. */
  gateways_heard: number
}

/**
 * Each part is a look-up: events of a device are few, its first uplink that is kept stands in an
 * index by its ordinal, and an organization has some thousand gateways at most.
 */
export async function readArrival(
  db: Queryable,
  organizationId: number,
  deviceId: number,
  now: Date,
): Promise<Arrival | undefined> {
  const rows = await db.query<Arrival>(
    `select devices.created_at, (
       select min(events.occurred_at) from network_events as events
       where events.organization_id = $1 and events.device_id = $2 and events.kind = 'join'
     ) as joined_at, (
       select json_build_object('time', uplinks.event_time::text,
         'decoded_message', uplinks.decoded_message,
         'payload', encode(uplinks.payload, 'hex'))
       from device_states as states
       cross join lateral ${byOrdinals('uplinks.*', {
         device: '$2::bigint',
         first: 'states.first_ordinal',
         last: 'states.first_ordinal',
       })} as uplinks
       where states.organization_id = $1 and states.device_id = $2
     ) as first_uplink, (
       select count(*) from gateways
       join gateway_states as states on states.organization_id = gateways.organization_id
         and states.gateway_id = gateways.id
       where gateways.organization_id = $1 and gateways.deleted_at is null
         and states.last_seen >= $3::timestamptz - interval '1 day'
     ) as gateways_heard
     from devices
     where devices.organization_id = $1 and devices.id = $2 and devices.deleted_at is null`,
    [organizationId, deviceId, now],
  )
  return rows[0]
}
