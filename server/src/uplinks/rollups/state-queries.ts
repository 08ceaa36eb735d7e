import type { Queryable } from '../../db/connect.ts'
import { numberArray, textArray } from '../../db/statements.ts'
import { statesOf } from '../../sensors/measurements.ts'
import { type OwnType, ownTypeOfRow } from '../../sensors/own-measurements.ts'
import { between } from '../rows/by-ordinal.ts'
import { inHour } from '../rows/by-time.ts'
import type { Backlog, DeviceHour } from './rollup-queries.ts'
import type { SaidUplink, StoredHour } from './state-times.ts'

/** Longer values of a state are cut off. */
const longestValue = 100

/** SQL: what an uplink says of a state, by the path of the state; null where it says nothing. */
export const saidValue = (name: string) =>
  `left(uplinks.decoded_object #>> string_to_array(${name}, '.'), ${longestValue})`

/** SQL: microseconds since 1970. */
export const microsecondsOf = (time: string) => `(extract(epoch from ${time}) * 1000000)::bigint`

/** A state of a device in an hour. */
export type StateHour = DeviceHour & StateKey

/** The states that devices have in these hours, by their types of now. */
export async function listStates(
  tx: Queryable,
  organizationId: number,
  hours: readonly DeviceHour[],
): Promise<StateHour[]> {
  const ids = new Set(hours.map(({ device_id }) => device_id))
  const devices = await tx.query<{ id: number; type_id: number; own_type: OwnType | null }>(
    `select devices.id, devices.type_id, ${ownTypeOfRow} as own_type
     from devices
     left join device_types on device_types.organization_id = devices.organization_id
       and device_types.id = devices.type_id
     where devices.organization_id = $1 and devices.id = any($2::bigint[])`,
    [organizationId, numberArray([...ids])],
  )
  const names = new Map(
    devices.map((device) => [device.id, statesOf(device).map(({ name }) => name)]),
  )
  return hours.flatMap((hour) =>
    (names.get(hour.device_id) ?? []).map((name) => ({ ...hour, name })),
  )
}

/** A state in an hour, with all uplinks of the device in it. */
export interface SaidHour {
  device_id: number
  name: string
  /** Microseconds since 1970. */
  hour: number
  uplinks: SaidUplink[]
}

/** What uplinks up to an ordinal say of states. Hours without an uplink are left out. */
export function readSaid(
  tx: Queryable,
  organizationId: number,
  hours: readonly StateHour[],
  upTo: number,
): Promise<SaidHour[]> {
  return tx.query<SaidHour>(
    `select place.device_id, place.name, ${microsecondsOf('place.hour')} as hour,
       json_agg(
         json_build_array(${microsecondsOf('uplinks.event_time')}, ${saidValue('place.name')})
         order by uplinks.event_time, uplinks.ordinal
       ) as uplinks
     from (
       select distinct * from unnest($2::bigint[], $3::timestamptz[], $4::text[])
         as place (device_id, hour, name)
     ) as place
     cross join lateral ${inHour(
       'uplinks.ordinal, uplinks.event_time, uplinks.decoded_object',
       'place.device_id',
       'place.hour',
     )} as uplinks
     where uplinks.ordinal <= $5
     group by place.device_id, place.name, place.hour`,
    [organizationId, ...columnsOf(hours), textArray(hours.map(({ name }) => name)), upTo],
  )
}

/** Forgets what is known of all states in these hours. */
export async function clearHours(
  tx: Queryable,
  organizationId: number,
  hours: readonly DeviceHour[],
): Promise<void> {
  await tx.query(
    `with cleared as (
       select device_id, date_trunc('day', hour, 'UTC') as day,
         array_agg(date_part('hour', hour at time zone 'UTC')::text) as hours
       from unnest($2::bigint[], $3::timestamptz[]) as cleared (device_id, hour)
       group by 1, 2
     ), emptied as (
       delete from daily_states as states using cleared
       where states.organization_id = $1 and states.device_id = cleared.device_id
         and states.day = cleared.day and states.hours - cleared.hours = '{}'
     )
     update daily_states as states set hours = states.hours - cleared.hours
     from cleared
     where states.organization_id = $1 and states.device_id = cleared.device_id
       and states.day = cleared.day and states.hours - cleared.hours <> '{}'`,
    [organizationId, ...columnsOf(hours)],
  )
}

/** Writes hours into their days. */
export async function writeStateHours(
  tx: Queryable,
  organizationId: number,
  hours: readonly { device_id: number; name: string; hour: number; stored: StoredHour }[],
): Promise<void> {
  await tx.query(
    `insert into daily_states as states (organization_id, device_id, day, name, hours)
     select $1, said.device_id, date_trunc('day', said.hour, 'UTC'), said.name,
       jsonb_object_agg(date_part('hour', said.hour at time zone 'UTC')::text, said.stored)
     from (
       select device_id, name, to_timestamp(hour / 1000000) as hour, stored
       from unnest($2::bigint[], $3::text[], $4::bigint[], $5::jsonb[])
         as said (device_id, name, hour, stored)
     ) as said
     group by 2, 3, 4
     on conflict (organization_id, device_id, day, name) do update
     set hours = states.hours || excluded.hours`,
    [
      organizationId,
      numberArray(hours.map(({ device_id }) => device_id)),
      textArray(hours.map(({ name }) => name)),
      numberArray(hours.map(({ hour }) => hour)),
      textArray(hours.map(({ stored }) => JSON.stringify(stored))),
    ],
  )
}

/** A state of a device. */
export interface StateKey {
  device_id: number
  name: string
}

/** The days of a state: when each begins, and its hours. */
export interface StateDays extends StateKey {
  days: [number, Record<string, StoredHour>][]
}

/** The days that begin from one time until before another. */
export function readStateDays(
  tx: Queryable,
  organizationId: number,
  states: readonly StateKey[],
  { from, to }: { from: Date; to: Date },
): Promise<StateDays[]> {
  return tx.query<StateDays>(
    `select state.device_id, state.name,
       json_agg(json_build_array(${microsecondsOf('of_day.day')}, of_day.hours) order by of_day.day)
         as days
     from unnest($2::bigint[], $3::text[]) as state (device_id, name)
     cross join lateral (
       select daily.day, daily.hours from daily_states as daily
       where daily.organization_id = $1 and daily.device_id = state.device_id
         and daily.name = state.name collate "C" and daily.day >= $4 and daily.day < $5
       offset 0
     ) as of_day
     group by state.device_id, state.name`,
    [
      organizationId,
      numberArray(states.map(({ device_id }) => device_id)),
      textArray(states.map(({ name }) => name)),
      from,
      to,
    ],
  )
}

/** The hours of devices in which uplinks are not rolled up yet, at most so many. */
export function listWaitingHours(
  tx: Queryable,
  organizationId: number,
  { after, up_to: upTo }: Backlog,
  { ids, most }: { ids: readonly number[]; most: number },
): Promise<DeviceHour[]> {
  return tx.query<DeviceHour>(
    `select distinct uplinks.device_id, date_trunc('hour', uplinks.event_time, 'UTC') as hour
     from ${between('uplinks.device_id, uplinks.event_time', '$2::bigint', '$3::bigint')} as uplinks
     where uplinks.device_id = any($4::bigint[])
     limit $5`,
    [organizationId, after, upTo, numberArray(ids), most],
  )
}

function columnsOf(hours: readonly DeviceHour[]): [string, string] {
  return [
    numberArray(hours.map(({ device_id }) => device_id)),
    textArray(hours.map(({ hour }) => hour)),
  ]
}
