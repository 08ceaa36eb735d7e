import type { Queryable } from '../../db/connect.ts'
import { isFaultOfTheRow } from '../../db/errors.ts'
import { normalizeEui } from '../../lora/eui.ts'
import type { DeviceEvent, DownlinkEvent, NetworkMessage } from '../../networks/network.ts'
import { type NetworkEvent, quarantineEvent, storeEvent } from './event-queries.ts'
import type { CallbackAccount, IngestQueue } from './ingest-queue.ts'

/** A message of a network, read, and the account it came through. */
export interface ReceivedMessage {
  account: CallbackAccount
  content: NetworkMessage
  /** As it was sent. */
  message: Buffer
}

/**
 * Stores whatever a network sent; resolves when all of it is committed. Both ways in, callback
 * and subscription, end here.
 */
export async function receiveMessage(
  { db, ingest }: { db: Queryable; ingest: IngestQueue },
  { account, content, message }: ReceivedMessage,
): Promise<void> {
  if (content.kind === 'nothing') return
  if (content.kind === 'uplink') return ingest.store({ account, uplink: content, message })
  const event: NetworkEvent = {
    deviceEui: normalizeEui(content.devEui),
    kind: content.kind === 'downlink' ? `downlink_${content.state}` : content.kind,
    occurredAt: content.occurredAt,
    deduplicationKey: content.deduplicationKey,
    details: detailsOf(content),
    ...transmitterOf(content),
    message,
  }
  try {
    const isKnown = await storeEvent(db, account, event)
    if (!isKnown) await quarantineEvent(db, account, event, 'unknown_device')
  } catch (error) {
    if (!isFaultOfTheRow(error)) throw error
    await quarantineEvent(db, account, event, 'not_storable')
  }
}

function detailsOf(event: DeviceEvent | DownlinkEvent): Record<string, unknown> {
  if (event.kind !== 'downlink') return event.details
  return { ...event.details, queue_item_id: event.queueItemId, reason: event.reason }
}

function transmitterOf(event: DeviceEvent | DownlinkEvent): { gatewayEui?: string } {
  if (event.kind !== 'downlink' || event.gatewayEui === undefined) return {}
  return { gatewayEui: normalizeEui(event.gatewayEui) }
}
