import type { Queryable } from '../../db/connect.ts'
import { isoTimeOf, type Moment } from '../../http/timestamps.ts'
import { historyColumns, queueHistory } from '../outgoing/events/webhook-event-queries.ts'
import type { Closable } from './close-in-batches.ts'
import type { StoredDownlink } from './downlink-queries.ts'
import type { DownlinkSection, DownlinkState, HistoryEvent } from './downlink-states.ts'

/**
 * Values in units, by the id of the field. For a codec: its input as JSON, and its warnings. Raw
 * downlinks have none.
 */
export type FieldValues =
  | Record<string, number>
  | { codec_data: string; codec_warnings: readonly string[] }

export interface NewDownlink {
  deviceId: number
  userId: number
  section: DownlinkSection
  fieldValues: FieldValues
  payload: Uint8Array
  fPort: number
  isConfirmed?: boolean
  expiresAt?: Date
}

/**
 * Inserts downlinks with their history, in the given order. Returns the id of each, or undefined
 * where the device is deleted, or `mostWaiting` downlinks already wait for it. Those that were found
 * missing in the network's queue do not wait, whatever has become of them.
 */
export async function insertAll(
  tx: Queryable,
  organizationId: number,
  downlinks: readonly NewDownlink[],
  mostWaiting: number,
): Promise<(number | undefined)[]> {
  const given = downlinks.map(({ fieldValues, payload, ...downlink }) => ({
    device_id: downlink.deviceId,
    user_id: downlink.userId,
    section: downlink.section,
    field_values: fieldValues,
    payload: Buffer.from(payload).toString('hex'),
    f_port: downlink.fPort,
    is_confirmed: downlink.isConfirmed ?? false,
    expires_at: downlink.expiresAt && isoTimeOf(downlink.expiresAt),
  }))
  const rows = await tx.query<{ place: number; id: number }>(
    `with given as materialized (
       select *, row_number() over (partition by device_id order by place) as nth
       from rows from (
         json_to_recordset($2) as (
           device_id bigint, user_id bigint, section text, field_values jsonb, payload text,
           f_port integer, is_confirmed boolean, expires_at timestamptz
         )
       ) with ordinality as given (
         device_id, user_id, section, field_values, payload, f_port, is_confirmed, expires_at, place
       )
     ), fitting as materialized (
       select nextval(pg_get_serial_sequence('downlinks', 'id')) as id, given.*
       from (
         select * from given
         where nth <= $3 - (
           select count(*) from downlinks
           where organization_id = $1 and device_id = given.device_id
             and (state = 'queued' or state = 'handed_over' and missing_since is null)
         ) and exists (
           select from devices
           where organization_id = $1 and id = given.device_id and deleted_at is null
         )
         order by place
       ) as given
     ), created as (
       insert into downlinks
         (organization_id, id, device_id, user_id, section, field_values, payload, f_port,
          is_confirmed, expires_at)
       overriding system value
       select $1, id, device_id, user_id, section, field_values, decode(payload, 'hex'), f_port,
         is_confirmed, expires_at
       from fitting
       returning organization_id, device_id, id
     ), noted as (
       insert into downlink_history (organization_id, device_id, downlink_id, event_name)
       select organization_id, device_id, id, 'event_created' from created order by id
       returning ${historyColumns}
     ), told as (${queueHistory('noted')})
     select place, id from fitting`,
    [organizationId, JSON.stringify(given), mostWaiting],
  )
  const ids = new Map(rows.map(({ place, id }) => [place, id]))
  return downlinks.map((_, index) => ids.get(index + 1))
}

export interface StoredHistoryEntry {
  id: number
  downlink_id: number
  event_name: HistoryEvent
  reason: string | null
  payload: Buffer
  f_port: number
  section: DownlinkSection
  is_confirmed: boolean
  expires_at: Moment | null
  /** The first characters of the codec's input. Null if no codec encoded the message. */
  codec_data: string | null
  codec_warnings: string[] | null
  published_at: string
}

export async function addHistory(
  tx: Queryable,
  { organization_id, device_id, id }: Pick<StoredDownlink, 'organization_id' | 'device_id' | 'id'>,
  event: HistoryEvent,
  reason?: string,
): Promise<void> {
  await tx.query(
    `with noted as (
       insert into downlink_history (organization_id, device_id, downlink_id, event_name, reason)
       values ($1, $2, $3, $4, $5)
       returning ${historyColumns}
     )
     ${queueHistory('noted')}`,
    [organization_id, device_id, id, event, reason],
  )
}

/** The newest entries of a device, the newest first. */
export function listHistory(
  db: Queryable,
  organizationId: number,
  deviceId: number,
  limit: number,
): Promise<StoredHistoryEntry[]> {
  return db.query<StoredHistoryEntry>(
    `select history.id, history.downlink_id, history.event_name, history.reason, downlinks.payload, downlinks.f_port,
       downlinks.section, downlinks.is_confirmed, downlinks.expires_at,
       left(downlinks.field_values ->> 'codec_data', 500) as codec_data,
       downlinks.field_values -> 'codec_warnings' as codec_warnings, history.published_at
     from downlink_history as history
     join downlinks on downlinks.organization_id = history.organization_id
       and downlinks.id = history.downlink_id
     where history.organization_id = $1 and history.device_id = $2
     order by history.id desc
     limit $3`,
    [organizationId, deviceId, limit],
  )
}

/**
 * Cancels the downlinks of these devices that are in one of the states `from`. Their queues must be
 * locked.
 */
export async function cancelAll(
  tx: Queryable,
  organizationId: number,
  deviceIds: readonly number[],
  from: readonly DownlinkState[],
): Promise<void> {
  await tx.query(
    `with cancelled as (
       update downlinks set state = 'cancelled', closed_at = now()
       where organization_id = $1 and device_id = any($2::bigint[]) and state = any($3::text[])
       returning organization_id, device_id, id
     ), noted as (
       insert into downlink_history (organization_id, device_id, downlink_id, event_name)
       select organization_id, device_id, id, 'event_cancelled' from cancelled order by id
       returning ${historyColumns}
     )
     ${queueHistory('noted')}`,
    [organizationId, deviceIds, from],
  )
}

/** The devices of downlinks that no sensor did acknowledge in time. */
export function findUnanswered(db: Queryable, before: Date, limit: number): Promise<Closable[]> {
  return db.query<Closable>(
    `select organization_id, device_id from downlinks
     where state = 'sent' and closed_at is null and sent_at < $1
     order by sent_at
     limit $2`,
    [before, limit],
  )
}

/**
 * Closes the unanswered downlinks of these devices. Writes the history entries in the order in
 * which the downlinks were created. Returns how many downlinks were closed.
 */
export async function closeUnansweredOf(
  tx: Queryable,
  organizationId: number,
  { deviceIds, before, reason }: { deviceIds: readonly number[]; before: Date; reason: string },
): Promise<number> {
  const [result] = await tx.query<{ count: number }>(
    `with closed as (
       update downlinks
       set closed_at = now(), state = case
         when section = 'raw' or field_values ? 'codec_data' then 'sent' else 'failed'
       end
       where organization_id = $1 and device_id = any($2::bigint[])
         and state = 'sent' and closed_at is null and sent_at < $3
       returning organization_id, device_id, id, state
     ), noted as (
       insert into downlink_history (organization_id, device_id, downlink_id, event_name, reason)
       select organization_id, device_id, id, 'event_failed', $4 from closed
       where state = 'failed'
       order by id
       returning ${historyColumns}
     ), told as (${queueHistory('noted')})
     select count(*) from closed`,
    [organizationId, deviceIds, before, reason],
  )
  return result?.count ?? 0
}
