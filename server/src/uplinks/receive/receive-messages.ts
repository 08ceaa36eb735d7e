import type { Database } from '../../db/connect.ts'
import { outlastInTime } from '../../db/outlast.ts'
import type { SendingAccount } from '../../features/accounts/connections/sending-account.ts'
import type { DownlinkServices } from '../../features/downlinks/downlink-services.ts'
import type { NetworkMessage, Uplink } from '../../networks/network-message.ts'
import type { IngestQueue } from '../store/ingest-queue.ts'
import { findFirstKey } from '../store/key-queries.ts'
import type { StoreDeviceEvent } from './device-events.ts'
import type { HeardAccounts } from './heard-accounts.ts'
import { type EventServices, receiveEvent } from './receive-event.ts'
import type { CallbackAccounts } from './senders.ts'

/** For endpoints and jobs that receive messages of networks. */
export interface CallbackServices extends DownlinkServices {
  callbackAccounts: CallbackAccounts
  heardAccounts: HeardAccounts
  storeDeviceEvent: StoreDeviceEvent
  ingest: IngestQueue
}

/**
 * How long a message is kept while the database is away, in milliseconds. The networks wait 5 s for
 * an answer. ChirpStack, LORIOT and The Things Stack send nothing again.
 */
const patience = 4000

/** Returns the deadline for a message that arrives now. */
export function deadlineFromNow(): number {
  return performance.now() + patience
}

/** One message as it was sent, its contents, and its sender. */
interface ReceivedMessages {
  account: SendingAccount
  way: 'callback' | 'broker' | 'gateway'
  contents: readonly NetworkMessage[]
  message: Buffer
  /** The message parsed, where it may be a list of contents. */
  body?: unknown
  /**
   * If the database is away, the message is kept until this time, on the clock of
   * `performance.now()`.
   */
  deadline: number
}

interface Receiving extends EventServices {
  ingest: IngestQueue
  heardAccounts: HeardAccounts
}

/**
 * Stores a message of a network or a gateway. Resolves when all of it is committed. Messages by
 * callback, broker and gateway all come here after the sender is proven.
 */
export function receiveMessages(services: Receiving, received: ReceivedMessages): Promise<void> {
  const { account, way, contents, message, deadline } = received
  if (way !== 'gateway') {
    const hasUplink = contents.some(({ kind }) => kind === 'uplink')
    services.heardAccounts.note(account.id, way, hasUplink)
  }
  const [only] = contents
  // Nearly all messages: without the promises that several contents need.
  if (only && contents.length === 1) {
    return receiveOne(services, { account, content: only, message, deadline })
  }
  return receiveAll(services, received)
}

async function receiveAll(
  services: Receiving,
  { account, contents, message, body, deadline }: ReceivedMessages,
): Promise<void> {
  const parts = partsOf(message, body, contents.length)
  await Promise.all(
    contents.map((content, at) =>
      receiveOne(services, { account, content, message: parts[at] ?? message, deadline }),
    ),
  )
}

/**
 * Returns the part of the message for each of its contents: the item of a list, or else the whole
 * message.
 */
function partsOf(message: Buffer, body: unknown, count: number): Buffer[] {
  const items = Array.isArray(body) && body.length === count && count > 1 ? body : undefined
  return Array.from({ length: count }, (_, at) =>
    items ? Buffer.from(JSON.stringify(items[at])) : message,
  )
}

interface ReceivedMessage extends Pick<ReceivedMessages, 'account' | 'message' | 'deadline'> {
  content: NetworkMessage
}

function receiveOne(services: Receiving, received: ReceivedMessage): Promise<void> {
  const { account, content, message, deadline } = received
  if (content.unread) return receiveFaulty(services, received)
  // Nearly all messages: without a promise of its own.
  if (content.kind === 'uplink' && !content.isSentAgain) {
    return services.ingest.store({ account, uplink: content, message, deadline })
  }
  return receiveOther(services, received)
}

/** Counts what a message had that could not be used, once the rest of it is stored. */
async function receiveFaulty(services: Receiving, received: ReceivedMessage): Promise<void> {
  const { unread = [], ...content } = received.content
  await receiveOne(services, { ...received, content })
  services.heardAccounts.noteUnread(received.account.id, unread)
}

async function receiveOther(
  services: Receiving,
  { account, content, message, deadline }: ReceivedMessage,
): Promise<void> {
  const { ingestDb: db, ingest } = services
  switch (content.kind) {
    // The first is empty, and the others are answered in receive-callback.ts: there is nothing to
    // store.
    case 'nothing':
    case 'downlink_request':
    case 'confirmation':
      return
    case 'uplink': {
      const uplink = await outlastInTime(deadline, () => withFirstKey(db, account, content))
      return ingest.store({ account, uplink, message, deadline })
    }
    default:
      await outlastInTime(deadline, () => receiveEvent(services, account, content, message))
  }
}

/** Returns the uplink with the key of its first copy, if one is stored. */
async function withFirstKey(
  db: Database,
  account: SendingAccount,
  uplink: Uplink,
): Promise<Uplink> {
  return { ...uplink, deduplicationKey: await findFirstKey(db, account, uplink) }
}
