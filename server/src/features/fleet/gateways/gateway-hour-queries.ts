import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'

/** The counters of a gateway at the beginning of an hour. */
export interface HourNote {
  hour: Moment
  uplink_count: number
  downlink_count: number
}

/** Whether the counters are noted for this hour: one step in an index. */
export async function isHourNoted(db: Queryable, hour: Date): Promise<boolean> {
  const notes = await db.query('select from gateway_hours where hour = $1 limit 1', [hour])
  return notes.length > 0
}

/** Notes the counters of all gateways of all organizations. */
export async function noteHour(db: Queryable, hour: Date): Promise<void> {
  await db.query(
    `insert into gateway_hours (hour, gateway_id, organization_id, uplink_count, downlink_count)
     select $1, states.gateway_id, states.organization_id, states.uplink_count,
       states.downlink_count
     from gateway_states as states
     join gateways on gateways.organization_id = states.organization_id
       and gateways.id = states.gateway_id and gateways.deleted_at is null
     on conflict do nothing`,
    [hour],
  )
}

export async function removeNotes(db: Queryable, before: Date): Promise<void> {
  await db.query('delete from gateway_hours where hour < $1', [before])
}

/** Lists the notes of a gateway: one range of the primary key. */
export function listNotes(
  db: Queryable,
  organizationId: number,
  gatewayId: number,
  from: Date,
): Promise<HourNote[]> {
  return db.query<HourNote>(
    `select hour, uplink_count, downlink_count from gateway_hours
     where organization_id = $1 and gateway_id = $2 and hour >= $3`,
    [organizationId, gatewayId, from],
  )
}
