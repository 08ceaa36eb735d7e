// The downlink queue of a device, api/ttn/lorawan/v3/applicationserver.proto (AppAs).
import { randomUUID } from 'node:crypto'
import { textOf } from '../answer-fields.ts'
import { isObject, type JsonObject, readBytes, readTruth, readUint32 } from '../message-fields.ts'
import { type NetworkDownlink, NetworkError, type QueuedDownlink } from '../network.ts'
import { NotOurMessage } from '../network-message.ts'
import { RefusedCall } from '../rest.ts'
import type { Session } from './client.ts'
import { ownCorrelationPrefix, readQueueItemId } from './correlation.ts'
import { callAboutDevice, devicePath } from './device-ids.ts'

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

/** What waits for its acknowledgement is not in this list, which is the network server's queue. */
export async function listDownlinks(session: Session, devEui: string): Promise<QueuedDownlink[]> {
  const downlinks = await readQueue(session, devEui)
  return readItems(() => downlinks.map(readItem))
}

export async function changeQueue(
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

/** Of the same status as a limit of calls, and about this device alone (grpc_asns.go). */
function isQueueFull(error: unknown): boolean {
  const body = error instanceof RefusedCall && isObject(error.body) ? error.body : {}
  return textOf(body.message).startsWith('error:pkg/networkserver:downlink_queue_capacity ')
}

/** The items as The Things Stack gives them. */
export async function readQueue(session: Session, devEui: string): Promise<JsonObject[]> {
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
