import type { Database } from '../../db/connect.ts'
import { readBriefly } from '../../db/read-briefly.ts'
import type { Moment } from '../../http/timestamps.ts'
import { inRange } from '../rows/by-time.ts'
import { hasTooManyUplinks, type MeasuredDevice } from './measurement-queries.ts'

/** A value that differs from the one before it, or the first one. */
export interface StateChange {
  /** The path of the state in `decoded_object`. */
  name: string
  value: string
  time: Moment
}

/** So many changes of all states together are read; a range with more is refused. */
export const mostChanges = 5000

/** Before the range, the last value is looked for so far back: days. */
const daysBefore = 30

interface StateRange {
  device: MeasuredDevice
  /** Included. */
  from: Date
  /** Not included. */
  to: Date
  /** Paths of states within `decoded_object`. */
  names: readonly string[]
}

/** SQL: what an uplink says of a state; null where it says nothing. */
const value = "uplinks.decoded_object #>> string_to_array(state.name, '.')"
const read = 'uplinks.event_time, uplinks.device_ordinal, uplinks.decoded_object'

/**
 * The changes of the states in the range, by name and time, or `too_many`. The first one of a name may
 * be before the range: the value that was in force at its beginning.
 */
export function readStateChanges(
  db: Database,
  organizationId: number,
  { device, from, to, names }: StateRange,
): Promise<StateChange[] | 'too_many'> {
  const before = new Date(from.getTime() - daysBefore * 24 * 60 * 60 * 1000)
  return readBriefly(db, 'too_many', async (tx) => {
    if (await hasTooManyUplinks(tx, organizationId, { device, from, to })) return 'too_many'
    const [former, changes] = await Promise.all([
      tx.query<StateChange>(
        `select state.name, said.value, said.time
         from unnest($5::text[]) as state (name)
         cross join lateral (
           select ${value} as value, uplinks.event_time as time
           from ${inRange(read, { newestFirst: true })} as uplinks
           where ${value} is not null
           limit 1
         ) as said`,
        [organizationId, device.id, before, from, names],
      ),
      tx.query<StateChange>(
        `select name, value, time
         from (
           select state.name, ${value} as value, uplinks.event_time as time,
             lag(${value}) over (
               partition by state.name order by uplinks.event_time, uplinks.device_ordinal
             ) as former
           from ${inRange(read)} as uplinks
           cross join unnest($5::text[]) as state (name)
           where ${value} is not null
         ) as said
         where value is distinct from former
         order by name, time
         limit ${mostChanges + 1}`,
        [organizationId, device.id, from, to, names],
      ),
    ])
    return changes.length > mostChanges ? 'too_many' : [...former, ...changes]
  })
}
