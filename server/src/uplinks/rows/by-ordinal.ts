/*
 * Uplinks of organization `$1` by their ordinals within it, by its primary key. Lists of ordinals, because
 * for a range with unknown ends the planner assumes half a percent of the table.
 */

/** SQL: `columns` of `uplinks`, of those above `after` and up to `upTo`. */
export const between = (columns: string, after: string, upTo: string) =>
  oneOf(columns, `array(select generate_series(${after} + 1, ${upTo}))`)

/** SQL: the same for each row of `asked` with an `organization_id`, an `after` and an `up_to`. */
export const betweenAsked = (columns: string) => `(
    select ${columns} from uplinks
    where uplinks.organization_id = asked.organization_id
      and uplinks.ordinal = any(array(select generate_series(asked.after + 1, asked.up_to)))
  )`

/** SQL: the same of those in an array. */
export const oneOf = (columns: string, ordinals: string) => `(
    select ${columns} from uplinks
    where uplinks.organization_id = $1 and uplinks.ordinal = any(${ordinals})
  )`

/** SQL: the same of one. */
export const atOrdinal = (columns: string, ordinal: string) => `(
    select ${columns} from uplinks
    where uplinks.organization_id = $1 and uplinks.ordinal = ${ordinal}
  )`

/** SQL: the same of the next ones above `after`, oldest first. */
export const nextAfter = (columns: string, after: string, most: string) => `(
    select ${columns} from uplinks
    where uplinks.organization_id = $1 and uplinks.ordinal > ${after}
    order by uplinks.ordinal
    limit ${most}
  )`

/**
 * SQL: the same of those above `after` and up to `upTo` that were heard in a range of time, newest first.
 * The order with a limit leaves the planner only the primary key.
 */
export const heardBetween = (
  columns: string,
  { after, upTo, since, until }: Record<'after' | 'upTo' | 'since' | 'until', string>,
) => `(
    select ${columns} from uplinks
    where uplinks.organization_id = $1 and uplinks.ordinal > ${after} and uplinks.ordinal <= ${upTo}
      and uplinks.event_time >= ${since} and uplinks.event_time < ${until}
    order by uplinks.ordinal desc
    limit ${upTo} - ${after}
  )`

/*
 * Uplinks of a device of organization `$1` by their ordinals, in the index `uplinks_device`. The limits
 * leave nothing out: they keep the planner from reading all uplinks of the organization where
 * statistics are missing.
 */

/** SQL: `columns` of `uplinks`, of the latest uplink of the device in `states`. */
export const latestUplink = (columns: string) => `(
    select ${columns} from uplinks
    where uplinks.organization_id = $1 and uplinks.device_id = states.device_id
      and uplinks.device_ordinal = states.uplink_count
    limit 1
  )`

interface OrdinalRange {
  /** SQL: the id of the device. */
  device: string
  /** SQL: the ordinals of its first and last uplink. */
  first: string
  last: string
}

/** SQL: `columns` of `uplinks`, of the uplinks of a device with these ordinals, newest first. */
export function byOrdinals(columns: string, { device, first, last }: OrdinalRange): string {
  return `(
    select ${columns} from uplinks
    where uplinks.organization_id = $1 and uplinks.device_id = ${device}
      and uplinks.device_ordinal >= ${first} and uplinks.device_ordinal <= ${last}
    order by uplinks.device_ordinal desc
    limit greatest(${last} - (${first}) + 1, 0)
  )`
}

interface LatestUplinks {
  /** SQL: the id of the device. */
  device: string
  /** SQL: how many uplinks it has had. */
  count: string
  /** SQL: how many of them are wanted. */
  most: string
}

/** SQL: `columns` of `uplinks`, of the latest uplinks of a device, newest first. */
export function latestOf(columns: string, { device, count, most }: LatestUplinks): string {
  return byOrdinals(columns, { device, first: `${count} - ${most} + 1`, last: count })
}
