import type { Database } from '../../../db/connect.ts'
import { readBriefly } from '../../../db/read-briefly.ts'
import { inRange } from '../../../uplinks/rows/by-time.ts'
import type { HealthDevice } from './radio-queries.ts'

/** Uplinks of one hour that were sent alike. */
export interface SentAlike {
  /** Hours since 1970. */
  hour: number
  /** Hz. */
  frequency: number | null
  data_rate: string | null
  payload_bytes: number
  uplinks: number
}

export interface SentUplinks {
  count: number
  /** When the first one was sent, in milliseconds. */
  first: number | null
  sent: SentAlike[] | null
}

/** Only the newest uplinks of a range are read beyond this number. It bounds the request. */
export const mostSent = 20_000

/** The newest uplinks of the range: `inRange` finds them in this order. */
export const airtimeQuery = `with frames as materialized (
    select uplinks.*
    from ${inRange(
      `uplinks.event_time, uplinks.frequency, uplinks.data_rate,
      octet_length(uplinks.payload) as payload_bytes`,
      { newestFirst: true },
    )} as uplinks
    limit ${mostSent}
  ), sent as (
    select floor(extract(epoch from event_time) / 3600)::bigint as hour, frequency, data_rate,
      payload_bytes, count(*) as uplinks
    from frames group by 1, 2, 3, 4
  )
  select (select count(*) from frames) as count,
    (select floor(extract(epoch from min(event_time)) * 1000)::bigint from frames) as first,
    (select json_agg(sent order by hour) from sent) as sent`

/** Returns what the device sent in the range, or `too_much` when it takes too long. */
export function readSent(
  db: Database,
  organizationId: number,
  { id }: Pick<HealthDevice, 'id'>,
  { since, until }: { since: Date; until: Date },
): Promise<SentUplinks | 'too_much'> {
  return readBriefly(db, 'too_much', async (tx) => {
    const [sent] = await tx.query<SentUplinks>(airtimeQuery, [organizationId, id, since, until])
    return sent as SentUplinks
  })
}
