import type { Queryable } from '../../db/connect.ts'
import { numberArray, textArray } from '../../db/statements.ts'
import type { DecodingRun } from '../../features/fleet/device-types/decoding-run-queries.ts'
import type { Moment } from '../../http/timestamps.ts'
import { renderMessage, renderObject } from '../../sensors/render.ts'
import type { Reading } from '../../sensors/sensor.ts'
import { noteChanged } from '../rollups/rollup-queries.ts'

/** A stored frame that its codec has not decoded. */
export interface UndecodedUplink {
  ordinal: number
  device_id: number
  sealed_variables: Buffer | null
  event_time: Moment
  /** Hexadecimal. */
  payload: string
  f_port: number
}

/** Uplinks of the organization that one portion looks at. */
const mostSeen = 1000
/** Frames that one portion decodes. */
const mostDecoded = 64

/**
 * The next undecoded frames of a run, and the uplink at which the next portion begins: undefined
 * after the latest one.
 */
export async function listUndecoded(
  db: Queryable,
  { organization_id, type_id, next_ordinal }: DecodingRun,
): Promise<{ uplinks: UndecodedUplink[]; next: number | undefined }> {
  const rows = await db.query<{ last: number | null } & Partial<UndecodedUplink>>(
    `with seen as materialized (
       select uplinks.ordinal, uplinks.device_id, uplinks.event_time, uplinks.f_port,
         encode(uplinks.payload, 'hex') as payload, uplinks.event_type
       from uplinks
       where uplinks.organization_id = $1 and uplinks.ordinal >= $2
       order by uplinks.ordinal
       limit ${mostSeen}
     )
     select (select max(ordinal) from seen) as last, undecoded.*
     from (select 1) as one
     left join lateral (
       select seen.ordinal, seen.device_id, devices.sealed_variables, seen.event_time,
         seen.payload, seen.f_port
       from seen
       join devices on devices.organization_id = $1 and devices.id = seen.device_id
       where seen.event_type = 'UNKNOWN' and devices.type_id = $3
       order by seen.ordinal
       limit ${mostDecoded}
     ) as undecoded on true
     order by undecoded.ordinal`,
    [organization_id, next_ordinal, type_id],
  )
  const uplinks = rows.filter((row) => typeof row.ordinal === 'number') as UndecodedUplink[]
  const last = uplinks.length < mostDecoded ? rows[0]?.last : uplinks.at(-1)?.ordinal
  return { uplinks, next: typeof last === 'number' ? last + 1 : undefined }
}

/** Stores what codecs have read of frames. */
export async function storeReadings(
  db: Queryable,
  organizationId: number,
  read: readonly { ordinal: number; reading: Reading }[],
): Promise<void> {
  if (read.length === 0) return
  await db.query(
    `with stored as (
       update uplinks
       set event_type = given.event_type, decoded_object = given.decoded_object,
         decoded_message = given.decoded_message
       from unnest($2::bigint[], $3::uplink_event[], $4::jsonb[], $5::text[])
         as given (ordinal, event_type, decoded_object, decoded_message)
       where uplinks.organization_id = $1 and uplinks.ordinal = given.ordinal
       returning uplinks.device_id, uplinks.event_time
     )
     ${noteChanged('stored')}`,
    [
      organizationId,
      numberArray(read.map(({ ordinal }) => ordinal)),
      textArray(read.map(({ reading }) => reading.event)),
      textArray(read.map(({ reading }) => JSON.stringify(renderObject(reading)))),
      textArray(read.map(({ reading }) => renderMessage(reading))),
    ],
  )
}
