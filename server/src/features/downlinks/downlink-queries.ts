import type { Queryable } from '../../db/connect.ts'
import type { SectionName } from '../../sensors/settings.ts'
import type { DownlinkState, HistoryEvent } from './downlink-states.ts'

/** In units, by the id of the field; or what a codec was given, as JSON, and what it warned of. */
export type FieldValues =
  | Record<string, number>
  | { codec_data: string; codec_warnings: readonly string[] }

export interface NewDownlink {
  deviceId: number
  userId: number
  section: SectionName
  fieldValues: FieldValues
  payload: Uint8Array
  fPort: number
}

export interface StoredDownlink {
  id: number
  organization_id: number
  device_id: number
  payload: Buffer
  f_port: number
  state: DownlinkState
  /** The network's id of the latest hand-over. */
  queue_item_id: string | null
  attempts: number
  /** The network may hold it under an id that we do not know, or hold it no longer. */
  is_uncertain: boolean
}

/** The columns of a `StoredDownlink`. */
export const columns = `downlinks.id, downlinks.organization_id, downlinks.device_id, downlinks.payload,
  downlinks.f_port, downlinks.state, downlinks.queue_item_id, downlinks.attempts,
  downlinks.is_uncertain`

/** Locks a device against its deletion for this transaction; false when it is gone. */
export async function holdDevice(
  tx: Queryable,
  organizationId: number,
  deviceId: number,
): Promise<boolean> {
  const devices = await tx.query(
    `select id from devices
     where organization_id = $1 and id = $2 and deleted_at is null
     for share`,
    [organizationId, deviceId],
  )
  return devices.length > 0
}

/** Inserts a downlink with its history; undefined when so many wait already. */
export async function insert(
  tx: Queryable,
  organizationId: number,
  downlink: NewDownlink,
  mostWaiting: number,
): Promise<number | undefined> {
  const rows = await tx.query<{ id: number }>(
    `with created as (
       insert into downlinks
         (organization_id, device_id, user_id, section, field_values, payload, f_port)
       select $1, $2, $3, $4, $5::jsonb, $6, $7
       where $8 > (
         select count(*) from downlinks
         where organization_id = $1 and device_id = $2 and state in ('queued', 'handed_over')
       )
       returning organization_id, device_id, id
     )
     insert into downlink_history (organization_id, device_id, downlink_id, event_name)
     select organization_id, device_id, id, 'event_created' from created
     returning downlink_id as id`,
    [
      organizationId,
      downlink.deviceId,
      downlink.userId,
      downlink.section,
      JSON.stringify(downlink.fieldValues),
      Buffer.from(downlink.payload),
      downlink.fPort,
      mostWaiting,
    ],
  )
  return rows[0]?.id
}

export async function find(
  db: Queryable,
  organizationId: number,
  id: number,
): Promise<StoredDownlink | undefined> {
  const rows = await db.query<StoredDownlink>(
    `select ${columns} from downlinks where organization_id = $1 and id = $2`,
    [organizationId, id],
  )
  return rows[0]
}

/** The downlinks of a device that wait, here or at the network, the oldest first. */
export function listWaiting(
  db: Queryable,
  organizationId: number,
  deviceId: number,
): Promise<StoredDownlink[]> {
  return db.query<StoredDownlink>(
    `select ${columns} from downlinks
     where organization_id = $1 and device_id = $2 and state in ('queued', 'handed_over')
     order by id`,
    [organizationId, deviceId],
  )
}

/** False when it is no longer queued. */
export async function markHandedOver(
  tx: Queryable,
  { organization_id, id }: StoredDownlink,
  queueItemId: string,
): Promise<boolean> {
  const rows = await tx.query(
    `update downlinks
     set state = 'handed_over', queue_item_id = $3, is_uncertain = false, last_error = null,
       handed_over_at = now()
     where organization_id = $1 and id = $2 and state = 'queued'
     returning id`,
    [organization_id, id, queueItemId],
  )
  return rows.length > 0
}

/** It was not handed over this time; why, unless that is as it should be. */
export async function noteFailedAttempt(
  tx: Queryable,
  { organization_id, id }: StoredDownlink,
  { isUncertain, reason }: { isUncertain: boolean; reason: string | null },
): Promise<void> {
  await tx.query(
    `update downlinks set is_uncertain = $3, last_error = $4
     where organization_id = $1 and id = $2 and state = 'queued'`,
    [organization_id, id, isUncertain, reason],
  )
}

/** Takes downlinks back from the network's queue into ours, as its queue is about to be emptied. */
export async function takeBack(
  tx: Queryable,
  organizationId: number,
  ids: readonly number[],
): Promise<void> {
  await tx.query(
    `update downlinks set state = 'queued', is_uncertain = true
     where organization_id = $1 and id = any($2::bigint[]) and state = 'handed_over'`,
    [organizationId, ids],
  )
}

/**
 * Moves a downlink on if it is in one of the states `from`; false when it is in another. What has
 * failed for want of a report (`missing-downlinks.ts`) was sent after all when one comes.
 */
export async function changeState(
  tx: Queryable,
  { organization_id, id }: Pick<StoredDownlink, 'organization_id' | 'id'>,
  from: readonly DownlinkState[],
  to: DownlinkState,
): Promise<boolean> {
  const rows = await tx.query(
    `update downlinks
     set state = $4,
       sent_at = case when $4 = 'sent' then now() else sent_at end,
       closed_at = case when $4 = 'sent' then null else now() end,
       is_uncertain = is_uncertain and state <> 'failed'
     where organization_id = $1 and id = $2
       and (state = any($3::text[]) or state = 'failed' and is_uncertain and $4 = 'sent')
     returning id`,
    [organization_id, id, from, to],
  )
  return rows.length > 0
}

export interface StoredHistoryEntry {
  id: number
  downlink_id: number
  event_name: HistoryEvent
  reason: string | null
  payload: Buffer
  f_port: number
  /** The beginning of it; null where no codec encoded the message. */
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
    `insert into downlink_history (organization_id, device_id, downlink_id, event_name, reason)
     values ($1, $2, $3, $4, $5)`,
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
