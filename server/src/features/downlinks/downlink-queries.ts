import type { Queryable } from '../../db/connect.ts'
import type { Moment } from '../../http/timestamps.ts'
import type { DownlinkState } from './downlink-states.ts'

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
  /** The network may hold it under an id that is unknown here, or may no longer hold it. */
  is_uncertain: boolean
  /** The bytes are a user's own. */
  is_raw: boolean
  /** The network repeats it until the device acknowledges it. */
  is_confirmed: boolean
  /** When it expires if it is still queued here. Null for never. */
  expires_at: Moment | null
}

/** The columns of a `StoredDownlink`. */
export const columns = `downlinks.id, downlinks.organization_id, downlinks.device_id, downlinks.payload,
  downlinks.f_port, downlinks.state, downlinks.queue_item_id, downlinks.attempts,
  downlinks.is_uncertain, downlinks.section = 'raw' as is_raw, downlinks.is_confirmed,
  downlinks.expires_at`

/** The states of these downlinks, by id. */
export async function findStates(
  db: Queryable,
  organizationId: number,
  ids: readonly number[],
): Promise<Map<number, DownlinkState>> {
  const rows = await db.query<{ id: number; state: DownlinkState }>(
    'select id, state from downlinks where organization_id = $1 and id = any($2::bigint[])',
    [organizationId, ids],
  )
  return new Map(rows.map(({ id, state }) => [id, state]))
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

/**
 * The downlinks of a device that its network sends again until the device acknowledges them, the
 * oldest first. Between two attempts they wait in its queue.
 */
export function listRepeated(
  db: Queryable,
  organizationId: number,
  deviceId: number,
): Promise<StoredDownlink[]> {
  return db.query<StoredDownlink>(
    `select ${columns} from downlinks
     where organization_id = $1 and device_id = $2 and state = 'sent' and is_confirmed
       and exists (
         select from network_events as events
         where events.organization_id = $1 and events.device_id = $2
           and events.kind = 'downlink_not_acknowledged'
           and events.details ->> 'queue_item_id' = downlinks.queue_item_id
           and events.details ->> 'is_repeated' = 'true'
       )
     order by id`,
    [organizationId, deviceId],
  )
}

/** No cancel takes so long. */
const longestCancel = '2 minutes'

/** Says to all who list it that a downlink is being cancelled, or is not any more. */
export async function noteCancel(
  db: Queryable,
  { organization_id, id }: Pick<StoredDownlink, 'organization_id' | 'id'>,
  isUnderWay: boolean,
): Promise<void> {
  await db.query(
    `update downlinks set cancelling_until = now() + $3::interval
     where organization_id = $1 and id = $2`,
    [organization_id, id, isUnderWay ? longestCancel : null],
  )
}

/** A downlink that a network accepted, and the network's id of the queue item. */
export interface HandedOver {
  downlink: StoredDownlink
  queueItemId: string
}

/**
 * Marks downlinks of one organization as handed over. Returns the ids of those that were still
 * queued.
 */
export async function markHandedOver(
  tx: Queryable,
  organizationId: number,
  handedOver: readonly HandedOver[],
): Promise<Set<number>> {
  const rows = await tx.query<{ id: number }>(
    `update downlinks
     set state = 'handed_over', queue_item_id = given.item, is_uncertain = false,
       last_error = null, handed_over_at = now()
     from json_to_recordset($2) as given (id bigint, item text)
     where downlinks.organization_id = $1 and downlinks.id = given.id
       and downlinks.state = 'queued'
     returning downlinks.id`,
    [organizationId, JSON.stringify(handedOver.map(toGiven))],
  )
  return new Set(rows.map(({ id }) => id))
}

/** For `json_to_recordset`. */
export function toGiven({ downlink: { id, device_id }, queueItemId }: HandedOver) {
  return { id, device_id, item: queueItemId }
}

/** Records an attempt that did not hand the downlink over. `reason` is null if that is expected. */
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

/** Takes back what a claim has noted of its attempt, if no call was made. */
export async function withdrawAttempt(
  tx: Queryable,
  { organization_id, id }: StoredDownlink,
): Promise<void> {
  await tx.query(
    `update downlinks set attempts = attempts - 1, is_uncertain = false
     where organization_id = $1 and id = $2 and state = 'queued'`,
    [organization_id, id],
  )
}

/** Moves downlinks from the network's queue back into ours, before that queue is emptied. */
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

/** Undoes `takeBack`, because the queue was not emptied. */
export async function giveBack(
  tx: Queryable,
  organizationId: number,
  ids: readonly number[],
): Promise<void> {
  await tx.query(
    `update downlinks set state = 'handed_over', is_uncertain = false
     where organization_id = $1 and id = any($2::bigint[]) and state = 'queued'`,
    [organizationId, ids],
  )
}

/**
 * Moves a downlink to a later state if it is in one of the states `from`. Returns false if it is in
 * another state. One exception: a downlink that failed because no report came
 * (`missing-downlinks.ts`) becomes `sent` if a report comes later.
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
       sent_at = case when $4 = 'sent' then present.at else sent_at end,
       closed_at = case when $4 = 'sent' then null else present.at end,
       is_uncertain = is_uncertain and state <> 'failed'
     -- Citus takes no now() within a case of an update.
     from (select now() as at) as present
     where organization_id = $1 and id = $2
       and (state = any($3::text[]) or state = 'failed' and is_uncertain and $4 = 'sent')
     returning id`,
    [organization_id, id, from, to],
  )
  return rows.length > 0
}

/** Queues downlinks here again that certainly left the network's queue unsent. */
export async function queueAnew(
  tx: Queryable,
  organizationId: number,
  ids: readonly number[],
): Promise<void> {
  await tx.query(
    `update downlinks set state = 'queued', is_uncertain = false, missing_since = null
     where organization_id = $1 and id = any($2::bigint[]) and state = 'handed_over'`,
    [organizationId, ids],
  )
}

/** Records when these downlinks were first found missing: the wait for reports starts then. */
export async function noteMissing(
  tx: Queryable,
  organizationId: number,
  ids: readonly number[],
): Promise<void> {
  await tx.query(
    `update downlinks set missing_since = now()
     where organization_id = $1 and id = any($2::bigint[]) and missing_since is null`,
    [organizationId, ids],
  )
}

/** Marks a failed downlink as uncertain: a later report still changes its state. */
export async function markUncertain(
  tx: Queryable,
  organizationId: number,
  id: number,
): Promise<void> {
  await tx.query(
    "update downlinks set is_uncertain = true where organization_id = $1 and id = $2 and state = 'failed'",
    [organizationId, id],
  )
}
