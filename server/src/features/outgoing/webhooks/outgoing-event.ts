import type { Moment } from '../../../http/timestamps.ts'
import { isoTime } from '../../../http/timestamps.ts'
import { type FleetUplinkRow, toFleetUplink } from '../../../uplinks/read/fleet-uplink-record.ts'
import type { EventDevice } from '../live/event-record.ts'
import type { WebhookEvent } from './webhook-kinds.ts'

/** An event on its way to a receiver. */
export interface OutgoingEvent {
  /**
   * The same at every attempt and at every webhook of the organization, so that a receiver can drop
   * what it has already.
   */
  id: string
  kind: WebhookEvent
  device: EventDevice & { device_name: string }
  happenedAt: Moment
  /** Of an uplink. */
  ordinal: number | undefined
  uplink?: FleetUplinkRow
  /** What was found by the cursor of the webhook, by its replay, or as a row of its own. */
  source: 'news' | 'replay' | StoredDelivery
  body(): string
}

/** A row of `webhook_deliveries`. */
export interface StoredDelivery {
  id: number
  attempts: number
  first_failed_at: Moment | null
}

export function toUplinkEvent(
  organizationId: number,
  row: FleetUplinkRow,
  source: OutgoingEvent['source'],
): OutgoingEvent {
  return {
    id: `uplink_${organizationId}_${row.ordinal}`,
    kind: 'uplink',
    device: row,
    happenedAt: row.received_at,
    ordinal: row.ordinal,
    uplink: row,
    source,
    body: () => writeBody('uplink', row.received_at, toFleetUplink(row)),
  }
}

export function writeBody(type: string, happenedAt: Moment, data: unknown): string {
  return JSON.stringify({ type, timestamp: isoTime(happenedAt), data })
}

/**
 * Puts events in the order in which they are sent. Uplinks have one of their own; the others go
 * before the first uplink that came later.
 */
export function inOrder(events: readonly OutgoingEvent[]): OutgoingEvent[] {
  const uplinks = events
    .filter(({ ordinal }) => ordinal !== undefined)
    .sort((one, other) => (one.ordinal ?? 0) - (other.ordinal ?? 0))
  const others = events.filter(({ ordinal }) => ordinal === undefined)
  const ordered: OutgoingEvent[] = []
  for (const uplink of uplinks) {
    while (others[0] && others[0].happenedAt <= uplink.happenedAt) {
      ordered.push(others.shift() as OutgoingEvent)
    }
    ordered.push(uplink)
  }
  return [...ordered, ...others]
}
