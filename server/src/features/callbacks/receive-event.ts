import type { Database, Queryable } from '../../db/connect.ts'
import { isFaultOfTheRow } from '../../db/errors.ts'
import { tell } from '../../db/signals.ts'
import { normalizeEui } from '../../lora/eui.ts'
import type { DeviceEvent, DownlinkEvent } from '../../networks/network-message.ts'
import type { SendingAccount } from '../connections/sending-account.ts'
import { scheduleChecks } from '../downlinks/check-queries.ts'
import { noteNetworkEvent } from '../downlinks/ledger.ts'
import { isQueueChecked } from '../downlinks/queue-checks.ts'
import { findDeviceOfQueueItem, reportTopic } from '../downlinks/report-queries.ts'
import { keepInQuarantine } from '../uplinks/quarantine.ts'
import type { QuarantineReason } from '../uplinks/quarantine-queries.ts'
import { type EventSubject, type NetworkEvent, storeEvent } from './message-queries.ts'

/**
 * Stores what a network tells of a device or its downlinks, apart from its uplinks. An event of an
 * unknown device, or one that the database cannot hold, goes to the quarantine.
 */
export async function receiveEvent(
  db: Database,
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
      : storeDeviceEvent(db, account, event))
    if (!subject) await quarantineEvent(db, account, event, 'unknown_device')
  } catch (error) {
    if (!isFaultOfTheRow(error)) throw error
    await quarantineEvent(db, account, event, 'not_storable')
  }
}

/** A join may have cost the device what waited for it at the network. */
async function storeDeviceEvent(
  db: Database,
  account: SendingAccount,
  event: NetworkEvent,
): Promise<EventSubject | undefined> {
  if (event.kind !== 'join' || !isQueueChecked(account.network)) {
    return storeEvent(db, account, event)
  }
  return db.transaction(async (tx) => {
    const subject = await storeEvent(tx, account, event)
    if (subject?.is_new) await scheduleChecks(tx, [subject.device_id], 'join')
    return subject
  })
}

/** Once stored, an event is also in the ledger: the network may never tell it again. */
function storeDownlinkEvent(
  db: Database,
  account: SendingAccount,
  event: NetworkEvent,
  content: DownlinkEvent,
): Promise<EventSubject | undefined> {
  return db.transaction(async (tx) => {
    const subject = await storeEvent(tx, account, event)
    if (subject?.is_new) {
      await noteNetworkEvent(tx, subject.organization_id, subject.device_id, content)
      await tell(tx, reportTopic(subject.device_id))
    }
    return subject
  })
}

/** The network names the queue item alone: the device is that of the downlink. */
function findDeviceOf(
  db: Database,
  account: SendingAccount,
  content: DeviceEvent | DownlinkEvent,
): Promise<string | undefined> | undefined {
  if (content.kind !== 'downlink' || content.queueItemId === undefined) return undefined
  return findDeviceOfQueueItem(db, account, content.queueItemId)
}

/** Of the words of a network about a downlink, in characters. */
const longestReason = 500

function detailsOf(event: DeviceEvent | DownlinkEvent): Record<string, unknown> {
  if (event.kind !== 'downlink') return event.details
  const { queueItemId, reason } = event
  return {
    queue_item_id: queueItemId,
    reason: reason?.slice(0, longestReason).toWellFormed(),
    ...event.details,
  }
}

function transmitterOf(event: DeviceEvent | DownlinkEvent): { gatewayEui?: string } {
  if (event.kind !== 'downlink' || event.gatewayEui === undefined) return {}
  return { gatewayEui: normalizeEui(event.gatewayEui) }
}

/** What is kept of the details of an event, in bytes of their JSON. */
const mostBytes = 2048

/**
 * The details without the members that are too long, so that what is kept of a device stays small.
 * Those that come first have the first claim.
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

/** NUL and halves of surrogate pairs, as JSON writes them; a backslash before is written twice. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** Whether PostgreSQL has characters for all that the details say. */
function isStorableJson(details: Record<string, unknown>): boolean {
  return !unstorable.test(JSON.stringify(details))
}

/** Keeps an event that is no device's, or that the database cannot hold. */
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
