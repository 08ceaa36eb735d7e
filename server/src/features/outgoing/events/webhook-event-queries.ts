/** Kinds of events that no cursor finds again. Uplinks are read from where they are stored. */
export type QueuedKind = 'join' | 'downlink' | 'device_state' | 'registration' | 'alert' | 'audit'

/**
 * SQL: a part of a `with` that queues events for the webhooks of organization `$1` that want them, in the
 * transaction in which they happen. `events` gives `organization_id`, `device_id` (0 for what is about no device:
 * then `data` has its `network`) and `data`, in order. Without a
 * webhook it is one look-up in a small index for each event. They are due at once, whatever the
 * clock of the sender.
 */
export function queueForWebhooks(kind: QueuedKind | { column: string }, events: string): string {
  const kindOf = typeof kind === 'string' ? `'${kind}'` : `happened.${kind.column}`
  return `insert into webhook_deliveries
      (organization_id, webhook_id, device_id, kind, data, happened_at, next_attempt_at)
    select webhooks.organization_id, webhooks.id, happened.device_id, ${kindOf}, happened.data,
      clock_timestamp(), 'epoch'
    from (${events}) as happened
    join webhooks on webhooks.organization_id = $1
      and webhooks.organization_id = happened.organization_id
      and webhooks.events @> array[${kindOf}]`
}

/** SQL: a `timestamptz` as the API writes it. */
export function wireTime(moment: string): string {
  return `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

/** SQL: the entries of a downlink's history that a part of a `with` has returned. */
export function queueHistory(noted: string): string {
  return queueForWebhooks(
    'downlink',
    `select organization_id, device_id, jsonb_build_object(
       'id', id, 'downlink_id', downlink_id, 'event_name', event_name, 'reason', reason,
       'published_at', ${wireTime('published_at')}
     ) as data
     from ${noted} order by id`,
  )
}

/** SQL: what `queueHistory` needs of an `insert` into the history. */
export const historyColumns =
  'organization_id, device_id, id, downlink_id, event_name, reason, published_at'

/** SQL: the registration of devices has changed. `devices` gives their rows. */
export function queueRegistration(
  devices: string,
  {
    status,
    message = 'null',
    condition = 'true',
  }: { status: string; message?: string; condition?: string },
): string {
  return queueForWebhooks(
    'registration',
    `select organization_id, id as device_id,
       jsonb_build_object('status', ${status}::text, 'message', ${message}::text) as data
     from ${devices} where ${condition}`,
  )
}
