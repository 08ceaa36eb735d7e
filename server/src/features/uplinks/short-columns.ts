import { eventNumber } from '../inventory/uplink-columns.ts'

/** What rows leave out or have in another form (docs/decisions/0047-short-rows.md). */
export interface ShortColumns {
  /** A UUID stands in `deduplication_id`. */
  deduplication_key: string | undefined
  deduplication_id: string | undefined
  /** Or its number (inventory/uplink-columns.ts). */
  event_type: string | undefined
  event_number: number | undefined
  /** Undefined where the payload tells it. */
  sensor_sequence: readonly number[] | undefined
}

interface FullColumns {
  deduplication_key: string
  event_type: string
  sensor_sequence: readonly number[]
}

/** As PostgreSQL writes one. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The columns of a row whose payload begins with `header`. */
export function shorten(
  { deduplication_key: key, event_type, sensor_sequence }: FullColumns,
  header: number | undefined,
): ShortColumns {
  const number = eventNumber(event_type)
  const isId = uuid.test(key)
  const isTold = isOfHeader(sensor_sequence, header)
  return {
    deduplication_key: isId ? undefined : key,
    deduplication_id: isId ? key : undefined,
    event_type: number === undefined ? event_type : undefined,
    event_number: number,
    sensor_sequence: isTold ? undefined : sensor_sequence,
  }
}

/** Whether the payload tells the packet counter: see `sequenceOf` (inventory/uplink-columns.ts). */
function isOfHeader(sequence: readonly number[], header: number | undefined): boolean {
  return header !== undefined && sequence.length === 1 && sequence[0] === (header & 15)
}
