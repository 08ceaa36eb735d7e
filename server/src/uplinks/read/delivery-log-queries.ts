/** A delivery of an uplink to a webhook of the organization, as `client_api_log` lists it. */
export interface LoggedDelivery {
  webhook_id: number
  at: string
  delivered: boolean
  /** Null where the receiver did not answer. */
  status: number | null
  duration_ms: number
}

/**
 * SQL: the deliveries of the uplink of the row, of organization `$1`, the oldest first; null without
 * one. Organizations without webhooks pay one look for the whole page.
 */
export const deliveryLog = `case when (
    select exists (select from webhooks where webhooks.organization_id = $1)
  ) then (
    select json_agg(
      json_build_object(
        'webhook_id', attempts.webhook_id,
        'at', to_char(attempts.attempted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        'delivered', attempts.is_delivered,
        'status', attempts.status,
        'duration_ms', attempts.duration_ms
      ) order by attempts.id
    )
    from webhook_attempts as attempts
    where attempts.organization_id = $1 and attempts.ordinal = uplinks.ordinal
  ) end`
