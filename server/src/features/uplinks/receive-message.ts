import type { Database } from '../../db/connect.ts'
import { isFaultOfTheRow } from '../../db/errors.ts'
import { normalizeEui } from '../../lora/eui.ts'
import type { DeviceEvent, DownlinkEvent, NetworkMessage } from '../../networks/network.ts'
import { noteNetworkEvent } from '../downlinks/ledger.ts'
import {
  type EventSubject,
  type NetworkEvent,
  quarantineEvent,
  storeEvent,
} from './event-queries.ts'
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
  { db, ingest }: { db: Database; ingest: IngestQueue },
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
    const subject = await (content.kind === 'downlink'
      ? storeDownlinkEvent(db, account, event, content)
      : storeEvent(db, account, event))
    if (!subject) await quarantineEvent(db, account, event, 'unknown_device')
  } catch (error) {
    if (!isFaultOfTheRow(error)) throw error
    await quarantineEvent(db, account, event, 'not_storable')
  }
}

/** Once stored, an event is also in the ledger: the network may never tell it again. */
function storeDownlinkEvent(
  db: Database,
  account: CallbackAccount,
  event: NetworkEvent,
  content: DownlinkEvent,
): Promise<EventSubject | undefined> {
  return db.transaction(async (tx) => {
    const subject = await storeEvent(tx, account, event)
    if (subject?.is_new) {
      await noteNetworkEvent(tx, subject.organization_id, subject.device_id, content)
    }
    return subject
  })
}

function detailsOf(event: DeviceEvent | DownlinkEvent): Record<string, unknown> {
  if (event.kind !== 'downlink') return event.details
  return { ...event.details, queue_item_id: event.queueItemId, reason: event.reason }
}

function transmitterOf(event: DeviceEvent | DownlinkEvent): { gatewayEui?: string } {
  if (event.kind !== 'downlink' || event.gatewayEui === undefined) return {}
  return { gatewayEui: normalizeEui(event.gatewayEui) }
}
