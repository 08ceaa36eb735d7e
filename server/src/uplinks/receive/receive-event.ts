import type { Database, Queryable } from '../../db/connect.ts'
import { isFaultOfTheRow } from '../../db/errors.ts'
import { tell } from '../../db/signals.ts'
import type { SendingAccount } from '../../features/accounts/connections/sending-account.ts'
import { noteNetworkEvent } from '../../features/downlinks/ledger.ts'
import { findDeviceOfQueueItem, reportTopic } from '../../features/downlinks/report-queries.ts'
import { normalizeEui } from '../../lora/eui.ts'
import type { DeviceEvent, DownlinkEvent } from '../../networks/network-message.ts'
import { keepInQuarantine } from '../store/quarantine.ts'
import type { QuarantineReason } from '../store/quarantine-queries.ts'
import type { StoreDeviceEvent } from './device-events.ts'
import { type EventSubject, type NetworkEvent, storeEvents } from './message-queries.ts'
import { countAtPreferred } from './transmitter-queries.ts'

export interface EventServices {
  ingestDb: Database
  storeDeviceEvent: StoreDeviceEvent
}

/**
 * Stores an event of a device or its downlinks; uplinks take another way. An event of an unknown
 * device, or one that the database cannot hold, goes to the quarantine.
 */
export async function receiveEvent(
  { ingestDb: db, storeDeviceEvent }: EventServices,
  account: SendingAccount,
  content: DeviceEvent | DownlinkEvent,
  message: Buffer,
): Promise<void> {
  const devEui = content.devEui ?? (await findDeviceOf(db, account, content))
  const event: NetworkEvent = {
    deviceEui: normalizeEui(devEui ?? ''),
    kind: content.kind === 'downlink' ? `downlink_${content.state}` : content.kind,
    occurredAt: content.occurredAt,
    deduplicationKey: content.deduplicationKey,
    details: boundDetails(detailsOf(content)),
    ...transmitterOf(content),
    message,
  }
  if (!isStorableJson({ ...event.details, '': event.deduplicationKey })) {
    return quarantineEvent(db, account, event, 'not_storable')
  }
  try {
    const subject = await (content.kind === 'downlink'
      ? storeDownlinkEvent(db, account, event, content)
      : storeDeviceEvent(account, event))
    if (!subject) await quarantineEvent(db, account, event, 'unknown_device')
  } catch (error) {
    if (!isFaultOfTheRow(error)) throw error
    await quarantineEvent(db, account, event, 'not_storable')
  }
}

/**
 * Stores an event and updates the ledger in one transaction, because the network may never report
 * the event again.
 */
function storeDownlinkEvent(
  db: Database,
  account: SendingAccount,
  event: NetworkEvent,
  content: DownlinkEvent,
): Promise<EventSubject | undefined> {
  return db.transaction(async (tx) => {
    const [subject] = await storeEvents(tx, account, [event])
    if (subject?.is_new) {
      const isUnnamed = content.state === 'sent' && event.gatewayEui === undefined
      if (isUnnamed) await countAtPreferred(tx, account, subject)
      const report = { ...content, network: account.network }
      await noteNetworkEvent(tx, subject.organization_id, subject.device_id, report)
      await tell(tx, reportTopic(subject.device_id))
    }
    return subject
  })
}

/** Returns the device of a downlink when the network names only the queue item. */
function findDeviceOf(
  db: Database,
  account: SendingAccount,
  content: DeviceEvent | DownlinkEvent,
): Promise<string | undefined> | undefined {
  if (content.kind !== 'downlink' || content.queueItemId === undefined) return undefined
  return findDeviceOfQueueItem(db, account, content.queueItemId)
}

/** The most characters that are kept of the reason that a network gives. */
const longestReason = 500

function detailsOf(event: DeviceEvent | DownlinkEvent): Record<string, unknown> {
  if (event.kind !== 'downlink') return event.details
  const { queueItemId, reason, isRepeated } = event
  return {
    queue_item_id: queueItemId,
    reason: reason?.slice(0, longestReason).toWellFormed(),
    ...(isRepeated && { is_repeated: true }),
    ...event.details,
  }
}

function transmitterOf(event: DeviceEvent | DownlinkEvent): { gatewayEui?: string } {
  if (event.kind !== 'downlink' || event.gatewayEui === undefined) return {}
  return { gatewayEui: normalizeEui(event.gatewayEui) }
}

/** The most bytes that are kept of the details of an event, as JSON. */
const mostBytes = 2048

/**
 * Leaves out members that are too long, so that the stored events of a device stay small. Earlier
 * members come first.
 */
function boundDetails(details: Record<string, unknown>): Record<string, unknown> {
  let left = mostBytes
  const kept = Object.entries(details).filter(([name, value]) => {
    const size = Buffer.byteLength(JSON.stringify({ [name]: value }))
    if (size > left) return false
    left -= size
    return true
  })
  return Object.fromEntries(kept)
}

/**
 * Finds NUL and halves of surrogate pairs, as JSON escapes them. An escaped backslash before them
 * is two backslashes.
 */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** Whether PostgreSQL has all characters of the details. */
function isStorableJson(details: Record<string, unknown>): boolean {
  return !unstorable.test(JSON.stringify(details))
}

/** Quarantines an event that has no known device, or that the database cannot hold. */
function quarantineEvent(
  db: Queryable,
  account: SendingAccount,
  event: NetworkEvent,
  reason: QuarantineReason,
): Promise<void> {
  return keepInQuarantine(db, [
    {
      organization_id: account.organizationId,
      network_account_id: account.id,
      reason,
      detail: event.kind,
      device_eui: event.deviceEui,
      deduplication_key: `${event.kind} ${event.deduplicationKey}`,
      message: event.message,
      uplink: undefined,
    },
  ])
}
