import type { Database } from '../../db/connect.ts'
import { isFaultOfTheRow } from '../../db/errors.ts'
import { outlast } from '../../db/outlast.ts'
import { tell } from '../../db/signals.ts'
import { normalizeEui } from '../../lora/eui.ts'
import { holdToRange } from '../../networks/message-range.ts'
import type {
  DeviceEvent,
  DownlinkEvent,
  NetworkMessage,
  Uplink,
} from '../../networks/network-message.ts'
import type { SendingAccount } from '../connections/sending-account.ts'
import { scheduleChecks } from '../downlinks/check-queries.ts'
import { isQueueChecked } from '../downlinks/expected-reports.ts'
import { noteNetworkEvent } from '../downlinks/ledger.ts'
import { findDeviceOfQueueItem, reportTopic } from '../downlinks/report-queries.ts'
import type { IngestQueue } from '../uplinks/ingest-queue.ts'
import { boundDetails, isStorableJson } from './event-details.ts'
import {
  type EventSubject,
  type NetworkEvent,
  quarantineEvent,
  storeEvent,
} from './message-queries.ts'
import { findFirstKey } from './repeat-queries.ts'

/** A message of a network, read, and the account it came through. */
export interface ReceivedMessage {
  account: SendingAccount
  content: NetworkMessage
  /** As it was sent. */
  message: Buffer
  /** Until when it is kept if the database is away, as `performance.now()` tells the time. */
  deadline: number
}

/**
 * How long a message is kept while the database is away, in milliseconds. The networks wait 5 s for
 * an answer, and ChirpStack, LORIOT and The Things Stack repeat nothing.
 */
const patience = 4000

/** For a message that arrives now. */
export function deadlineFromNow(): number {
  return performance.now() + patience
}

/** What of a message belongs to each of its contents: the item of a list, or else all of it. */
export function partsOf(message: Buffer, body: unknown, count: number): Buffer[] {
  const items = Array.isArray(body) && body.length === count && count > 1 ? body : undefined
  return Array.from({ length: count }, (_, at) =>
    items ? Buffer.from(JSON.stringify(items[at])) : message,
  )
}

/**
 * Stores whatever a network sent; resolves when all of it is committed. Both ways in, callback
 * and subscription, end here.
 */
export async function receiveMessage(
  { ingestDb: db, ingest }: { ingestDb: Database; ingest: IngestQueue },
  { account, content: told, message, deadline }: ReceivedMessage,
): Promise<void> {
  const content = holdToRange(told)
  if (isNothingToKeep(content)) return
  if (content.kind === 'uplink') {
    const uplink = content.isSentAgain
      ? await outlast(deadline, () => toFirst(db, account, content))
      : content
    return ingest.store({ account, uplink, message, deadline })
  }
  await outlast(deadline, () => receiveEvent(db, account, content, message))
}

/** The message as the one that was stored already, where that is so. */
async function toFirst(db: Database, account: SendingAccount, uplink: Uplink): Promise<Uplink> {
  return { ...uplink, deduplicationKey: await findFirstKey(db, account, uplink) }
}

async function receiveEvent(
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

type Transient = Extract<NetworkMessage, { kind: 'nothing' | 'downlink_request' | 'confirmation' }>

/** What is answered at once, by whoever can, or means nothing. */
function isNothingToKeep(content: NetworkMessage): content is Transient {
  const { kind } = content
  return kind === 'nothing' || kind === 'downlink_request' || kind === 'confirmation'
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
