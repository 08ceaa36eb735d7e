// The downlink queue of a device, api/ttn/lorawan/v3/applicationserver.proto (AppAs).
import { randomUUID } from 'node:crypto'
import { textOf } from '../answer-fields.ts'
import type { NetworkDownlink, QueuedDownlink } from '../device-queue.ts'
import { isObject, type JsonObject, readBytes, readTruth, readUint32 } from '../message-fields.ts'
import { NetworkError } from '../network-error.ts'
import { NotOurMessage } from '../network-message.ts'
import { RefusedCall } from '../rest.ts'
import type { Session } from './client.ts'
import { callAboutDevice, devicePath } from './device-ids.ts'
import { ownCorrelationPrefix, readQueueItemId } from './messages.ts'

/**
 * The Things Stack gives a downlink no id; returns the correlation id that we give it, which its
 * events carry. Refused while the device has not joined (pkg/applicationserver, no_device_session).
 */
export async function queueDownlink(session: Session, downlink: NetworkDownlink): Promise<string> {
  const id = `${ownCorrelationPrefix}${randomUUID()}`
  const item = {
    f_port: downlink.fPort,
    frm_payload: Buffer.from(downlink.payload).toString('base64'),
    confirmed: downlink.confirmed,
    priority: 'NORMAL',
    correlation_ids: [id],
  }
  await changeQueue(session, downlink.devEui, 'push', [item])
  return id
}

/** The network server's queue. A downlink that waits for its acknowledgement is not in it. */
export async function listDownlinks(session: Session, devEui: string): Promise<QueuedDownlink[]> {
  const downlinks = await readQueue(session, devEui)
  return readItems(() => downlinks.map(readItem))
}

async function changeQueue(
  session: Session,
  devEui: string,
  operation: 'push' | 'replace',
  downlinks: readonly object[],
): Promise<void> {
  try {
    await callAboutDevice(session, devEui, (deviceId) =>
      session.askCluster({
        method: 'POST',
        path: `${devicePath(session, 'application', deviceId)}/down/${operation}`,
        body: { downlinks },
      }),
    )
  } catch (error) {
    throw isQueueFull(error) ? new NetworkError('refused', fullQueue, { about: 'downlink' }) : error
  }
}

const fullQueue = "The Things Stack refused: the device's downlink queue is full."

/** It has the status of a rate limit, but is only about this device (grpc_asns.go). */
function isQueueFull(error: unknown): boolean {
  const body = error instanceof RefusedCall && isObject(error.body) ? error.body : {}
  return textOf(body.message).startsWith('error:pkg/networkserver:downlink_queue_capacity ')
}

/** Reads the items as The Things Stack gives them. */
async function readQueue(session: Session, devEui: string): Promise<JsonObject[]> {
  const { downlinks = [] } = await callAboutDevice(session, devEui, (deviceId) =>
    session.askCluster({
      method: 'GET',
      path: `${devicePath(session, 'application', deviceId)}/down`,
    }),
  )
  return readItems(() => {
    if (Array.isArray(downlinks) && downlinks.every(isObject)) return downlinks
    throw new NotOurMessage('downlinks must be a list of objects.')
  })
}

function readItems<Items>(read: () => Items): Items {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof NotOurMessage)) throw error
    throw new NetworkError('unreachable', `The Things Stack's queue was not read: ${error.message}`)
  }
}

function readItem(item: JsonObject): QueuedDownlink {
  return {
    id: readQueueItemId(item) ?? `${item.session_key_id ?? ''}:${readUint32(item, 'f_cnt')}`,
    fPort: readUint32(item, 'f_port'),
    payload: readBytes(item, 'frm_payload'),
    confirmed: readTruth(item, 'confirmed'),
    isPending: false,
  }
}

/** Further rounds happen only if an uplink came between reading the queue and replacing it. */
const mostRounds = 3

/**
 * Removes one downlink: replaces the queue by all its items but one, which keep priority, class and
 * correlation ids. Returns false when the item was not in the queue, or was sent before the queue
 * was replaced.
 *
 * The server does not notice that the queue changed since it was listed, and gives every item a new
 * frame counter (pkg/applicationserver/payload.go, encryptDownlinks): an item that was sent
 * meanwhile would be sent again. Such items are found by the counters of the frames that the
 * network server sent last, and removed in a further round.
 */
export async function cancelDownlink(
  session: Session,
  devEui: string,
  itemId: string,
): Promise<boolean> {
  let queue = await readQueue(session, devEui)
  const target = queue.find((item) => readQueueItemId(item) === itemId)
  if (!target) return false
  let unwanted = [target]
  let isSent = false
  for (let round = 1; round <= mostRounds && unwanted.length > 0; round += 1) {
    const kept = queue.filter((item) => !unwanted.some((one) => isSame(one, item)))
    await changeQueue(session, devEui, 'replace', kept)
    const sent = await findSent(session, devEui, queue)
    isSent ||= sent.includes(target)
    unwanted = sent.filter((item) => kept.includes(item))
    if (unwanted.length > 0) queue = await readQueue(session, devEui)
  }
  return !isSent
}

/** The items that were sent under the frame counters with which they were listed. */
async function findSent(
  session: Session,
  devEui: string,
  items: readonly JsonObject[],
): Promise<JsonObject[]> {
  const device = await callAboutDevice(session, devEui, (deviceId) =>
    session.askCluster({
      method: 'GET',
      path: devicePath(session, 'network', deviceId),
      query: { field_mask: 'mac_state.recent_downlinks' },
    }),
  )
  const state = isObject(device.mac_state) ? device.mac_state : {}
  const frames = Array.isArray(state.recent_downlinks) ? state.recent_downlinks : []
  const counters = new Set(frames.flatMap(readFrame))
  return items.filter(({ f_port: port, f_cnt: counter }) => counters.has(`${port} ${counter}`))
}

/** Port and counter. A frame of the network itself has a counter too, and no port. */
function readFrame(frame: unknown): string[] {
  const payload = isObject(frame) && isObject(frame.payload) ? frame.payload : {}
  const { f_port: port, full_f_cnt: counter } = isObject(payload.mac_payload)
    ? payload.mac_payload
    : {}
  return port ? [`${port} ${counter}`] : []
}

/** After the queue was replaced each item has one more correlation id. */
function isSame(earlier: JsonObject, later: JsonObject): boolean {
  const ids = new Set(idsOf(later))
  return idsOf(earlier).every((id) => ids.has(id))
}

function idsOf({ correlation_ids: ids }: JsonObject): unknown[] {
  return Array.isArray(ids) ? ids : []
}
