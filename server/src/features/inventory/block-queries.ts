import { numberArray } from '../../db/statements.ts'
import type { Transaction } from '../../db/transaction.ts'

/*
 * The index `uplinks_block` (db/migrations/0049-index-of-blocks.sql): the uplinks of a device by their
 * ordinals, in blocks of up to 32 that lie in the order of the hours in which they began. What
 * arrives now enters the blocks of the last hours, where devices share pages, however many uplinks are
 * stored. So the log of a checkpoint has few of its pages, and those that change stay in memory
 * (docs/decisions/0052-blocks-of-uplinks.md).
 */

/** Uplinks of a full block. */
export const blockSize = 32

const millisecondsPerHour = 3_600_000

/** The latest block of a device. */
export interface LatestBlock {
  /** The hour since 1970 in which it began; 0 before the first. */
  block: number
  /** The ordinal of its first uplink. */
  block_ordinal: number
}

/** A block that begins with an uplink. */
export interface BegunBlock {
  organization_id: number
  device_id: number
  first_ordinal: number
  block: number
}

interface CountedState extends LatestBlock {
  organization_id: number
  device_id: number
  uplink_count: number
}

/**
 * Returns the block of the latest uplink of a device. Where one begins with it, `state` gets it, and it is
 * added to `begun`.
 */
export function enterBlock(state: CountedState, begun: BegunBlock[]): number {
  const { organization_id, device_id, uplink_count } = state
  if (state.block === 0 || uplink_count >= state.block_ordinal + blockSize) {
    state.block = Math.floor(Date.now() / millisecondsPerHour)
    state.block_ordinal = uplink_count
    begun.push({ organization_id, device_id, first_ordinal: uplink_count, block: state.block })
  }
  return state.block
}

export function writeBlocks(tx: Transaction, begun: readonly BegunBlock[]): void {
  if (begun.length === 0) return
  tx.send(
    `insert into uplink_blocks (organization_id, device_id, first_ordinal, block)
     select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::integer[])`,
    [
      numberArray(begun.map(({ organization_id }) => organization_id)),
      numberArray(begun.map(({ device_id }) => device_id)),
      numberArray(begun.map(({ first_ordinal }) => first_ordinal)),
      numberArray(begun.map(({ block }) => block)),
    ],
  )
}

/** SQL: a number of up to 23 bits, for which the uplinks of all devices are side by side, and a device. */
export const entryOf = (number: string, device: string) => `((${number} << 40) | ${device})`

/** SQL: the first column of the index. */
const entry = entryOf('uplinks.block::bigint', 'uplinks.device_id')

/**
 * SQL: `columns` of `uplinks`, of the latest uplink of the device in `states`, of organization `$1`. It is
 * in the latest block, or in none. The limit keeps this a look-up.
 */
export const latestUplink = (columns: string) => `(
    select ${columns} from uplinks
    where uplinks.organization_id = $1
      and ${entry} in (${entryOf('states.block::bigint', 'states.device_id')}, states.device_id)
      and uplinks.device_ordinal = states.uplink_count
    limit 1
  )`

interface DeviceRange {
  /** SQL: the id of the device. */
  device: string
  /** SQL: the ordinals of its first and last uplink. */
  first: string
  last: string
}

/**
 * SQL: `columns` of `uplinks`, of the uplinks of a device of organization `$1` with these ordinals, in any
 * order. Each block is one look-up, and so are all uplinks without a block. The order with a limit, by
 * which nothing is left out, keeps these look-ups: in an organization with few uplinks, the planner
 * would else read all of them where statistics are missing.
 */
export function byOrdinals(columns: string, { device, first, last }: DeviceRange): string {
  return `(
    select of_block.*
    from (
      select blocks.block, greatest(blocks.first_ordinal, ${first}) as first,
        least(blocks.first_ordinal + ${blockSize - 1}, ${last}) as last
      from uplink_blocks as blocks
      where blocks.organization_id = $1 and blocks.device_id = ${device}
        and blocks.first_ordinal > ${first} - ${blockSize} and blocks.first_ordinal <= ${last}
      union all
      select 0, ${first}, ${last}
      offset 0
    ) as place
    cross join lateral (
      select ${columns}
      from uplinks
      where uplinks.organization_id = $1
        and ${entry} = ${entryOf('place.block::bigint', device)}
        and uplinks.device_ordinal >= place.first and uplinks.device_ordinal <= place.last
      order by uplinks.device_ordinal desc
      limit greatest(place.last - place.first + 1, 0)
    ) as of_block
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

/** SQL: `columns` of `uplinks`, of the latest uplinks of a device, in any order. */
export function latestOf(columns: string, { device, count, most }: LatestUplinks): string {
  return byOrdinals(columns, { device, first: `${count} - ${most} + 1`, last: count })
}
