import type { Queryable } from '../../db/connect.ts'
import { numberArray, textArray } from '../../db/statements.ts'
import { findVerdictWindow } from '../../features/people/organizations/organization-queries.ts'
import { microsecondsOf, saidValue } from '../rollups/state-queries.ts'
import type { SaidUplink } from '../rollups/state-times.ts'
import { inRange } from '../rows/by-time.ts'

/** Microseconds after which devices are silent that are not heard (see verdict-queries.ts). */
export async function listSilences(
  tx: Queryable,
  organizationId: number,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const window = await findVerdictWindow(tx, organizationId)
  const rows = await tx.query<{ id: number; seconds: number }>(
    `select device.id,
       coalesce(rhythms.silent_seconds, $3::integer * 3600)::double precision as seconds
     from unnest($2::bigint[]) as device (id)
     left join device_rhythms as rhythms
       on rhythms.organization_id = $1 and rhythms.device_id = device.id`,
    [organizationId, numberArray(ids), window],
  )
  return new Map(rows.map(({ id, seconds }) => [id, Math.round(seconds * 1_000_000)]))
}

/** What each uplink of a device in a range says of its states. */
export async function readSaidStates(
  tx: Queryable,
  organizationId: number,
  { deviceId, from, to, names }: { deviceId: number; from: Date; to: Date; names: string[] },
): Promise<Map<string, SaidUplink[]>> {
  const read = 'uplinks.event_time, uplinks.device_ordinal, uplinks.decoded_object'
  const rows = await tx.query<{ name: string; uplinks: SaidUplink[] }>(
    `select state.name, json_agg(
         json_build_array(${microsecondsOf('uplinks.event_time')}, ${saidValue('state.name')})
         order by uplinks.event_time, uplinks.device_ordinal
       ) as uplinks
     from ${inRange(read)} as uplinks
     cross join unnest($5::text[]) as state (name)
     group by state.name`,
    [organizationId, deviceId, from, to, textArray(names)],
  )
  return new Map(rows.map(({ name, uplinks }) => [name, uplinks]))
}
