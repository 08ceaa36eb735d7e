import type { Queryable } from '../../db/connect.ts'
import { normalizeEui } from '../../lora/eui.ts'
import type { DeviceEvent, DownlinkEvent, NetworkMessage } from '../../networks/network.ts'
import { storeEvent } from './event-queries.ts'
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
  await storeEvent(db, account, {
    deviceEui: normalizeEui(content.devEui),
    kind: content.kind === 'downlink' ? `downlink_${content.state}` : content.kind,
    occurredAt: content.occurredAt,
    deduplicationKey: content.deduplicationKey,
    details: detailsOf(content),
    message,
  })
}

function detailsOf(event: DeviceEvent | DownlinkEvent): Record<string, unknown> {
  if (event.kind !== 'downlink') return event.details
  return { ...event.details, queue_item_id: event.queueItemId, reason: event.reason }
}
