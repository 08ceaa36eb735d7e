import { byOrdinals } from './by-ordinal.ts'

/*
 * The index `uplinks_window`: windows of six hours with the
 * device, 24 bits of a hash of the deduplication key, and the second within the window. It finds
 * repeats, and the uplinks of a device by their time. What arrives now enters it close together,
 * whatever the devices, so the log of a checkpoint has few of its pages
 * (docs/decisions/0031-rows-of-uplinks.md).
 */

const windowSeconds = 21_600

/** SQL: a number of up to 23 bits, for which the uplinks of all devices are side by side, and a device. */
export const entryOf = (number: string, device: string) => `((${number} << 40) | ${device})`

/** SQL: seconds since 1970. */
const secondsOf = (time: string) => `date_part('epoch', ${time} at time zone 'UTC')`

/** SQL: the window of a time, counted from 1970. */
export const windowOf = (time: string) => `floor(${secondsOf(time)} / ${windowSeconds})::bigint`

/** The same of seconds since 1970. */
export const windowNumber = (seconds: number) => Math.floor(seconds / windowSeconds)

/** SQL: the second column: 24 bits, so that a window with 100,000 uplinks of a device has few alike. */
export const hashOf = (key: string) => `(hashtext(${key}) & 16777215)`

/** SQL: the third column. */
export const secondOf = (time: string) =>
  `(floor(${secondsOf(time)}) - floor(${secondsOf(time)} / ${windowSeconds}) * ${windowSeconds})::integer`

/** SQL: the first and the third column of the index, of an uplink in `row`. */
export const windowEntry = (row: string) =>
  entryOf(windowOf(`${row}.event_time`), `${row}.device_id`)
const windowSecond = (row: string) => secondOf(`${row}.event_time`)

/** SQL: whether an uplink in `row` is of the device, at this time. */
export const isAt = (row: string, device: string, time: string) =>
  `${windowEntry(row)} = ${entryOf(windowOf(time), device)}
    and ${windowSecond(row)} = ${secondOf(time)} and ${row}.event_time = ${time}`

/** Pages that a look-up in a window touches, besides those of the rows that it finds. */
const pagesOfLookup = 3

/** SQL: `columns` of the uplinks of a device of organization `$1` in the hour that begins at `hour`. */
export const inHour = (columns: string, device: string, hour: string) => `(
    select ${columns} from uplinks
    where uplinks.organization_id = $1
      and ${windowEntry('uplinks')} = ${entryOf(windowOf(hour), device)}
      and ${windowSecond('uplinks')} >= ${secondOf(hour)}
      and ${windowSecond('uplinks')} < ${secondOf(hour)} + 3600
    offset 0
  )`

interface RangeOptions {
  newestFirst?: boolean
  /** SQL: the id of the device. */
  device?: string
}

/**
 * SQL: `columns` of the uplinks of device `$2` of organization `$1` from the time `$3` until before
 * `$4`. With `newestFirst` they come in this order, so that a limit keeps the newest.
 *
 * Each window is one look-up. Where these would touch more pages than all uplinks of the device, as in
 * a long range of one that reports once a day, they are read by their ordinals instead.
 */
export function inRange(
  columns: string,
  { newestFirst = false, device = '$2::bigint' }: RangeOptions = {},
): string {
  const isInTime = `uplinks.event_time >= $3::timestamptz and uplinks.event_time < $4::timestamptz
          ${newestFirst ? 'order by uplinks.event_time desc' : 'offset 0'}`
  return `(
    select uplinks.*
    from (
      select states.first_ordinal, states.uplink_count, ${windowOf('$3::timestamptz')} as first,
        ${windowOf('$4::timestamptz')} as last,
        (${windowOf('$4::timestamptz')} - ${windowOf('$3::timestamptz')}) * ${pagesOfLookup}
          <= states.uplink_count - states.first_ordinal as is_short
      from device_states as states
      where states.organization_id = $1 and states.device_id = ${device}
      offset 0
    ) as range
    cross join lateral (
      select of_window.*
      from generate_series(case when range.is_short then range.last end, range.first, -1)
        as place (number)
      cross join lateral (
        select ${columns}
        from uplinks
        where uplinks.organization_id = $1
          and ${windowEntry('uplinks')} = ${entryOf('place.number', device)}
          and ${windowSecond('uplinks')} >= case when place.number = range.first
            then ${secondOf('$3::timestamptz')} else 0 end
          and ${windowSecond('uplinks')} <= case when place.number = range.last
            then ${secondOf('$4::timestamptz')} else ${windowSeconds} end
          and ${isInTime}
      ) as of_window
      union all
      select of_device.*
      from (
        select ${columns}
        from ${byOrdinals('uplinks.*', {
          device,
          first: 'range.first_ordinal',
          last: 'range.uplink_count',
        })} as uplinks
        where not range.is_short and ${isInTime}
      ) as of_device
    ) as uplinks
  )`
}
