// The downlink queue of a device, api/ttn/lorawan/v3/applicationserver.proto (AppAs).
import { randomUUID } from 'node:crypto'
import { isObject, readBytes, readTruth, readUint32 } from '../message-fields.ts'
import { type NetworkDownlink, NetworkError, type QueuedDownlink } from '../network.ts'
import { NotOurMessage } from '../network-message.ts'
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
  const { downlinks } = await callAboutDevice(session, devEui, (deviceId) =>
    session.askCluster({
      method: 'GET',
      path: `${devicePath(session, 'application', deviceId)}/down`,
    }),
  )
  try {
    return (Array.isArray(downlinks) ? downlinks : []).map(readItem)
  } catch (error) {
    if (!(error instanceof NotOurMessage)) throw error
    throw new NetworkError('unreachable', `The Things Stack's queue was not read: ${error.message}`)
  }
}

export async function flushDownlinks(session: Session, devEui: string): Promise<void> {
  await changeQueue(session, devEui, 'replace', [])
}

/**
 * The last frame counter, which in LoRaWAN 1.0.x application and network frames share: it begins
 * at 1 for the application's (pkg/networkserver/downlink.go, recordDataDownlink).
 */
export async function countDownlinkFrames(session: Session, devEui: string): Promise<number> {
  const device = await callAboutDevice(session, devEui, (deviceId) =>
    session.askCluster({
      method: 'GET',
      path: devicePath(session, 'network', deviceId),
      query: { field_mask: 'session.last_n_f_cnt_down' },
    }),
  )
  const counter = isObject(device.session) ? device.session.last_n_f_cnt_down : undefined
  return typeof counter === 'number' ? counter : 0
}

async function changeQueue(
  session: Session,
  devEui: string,
  operation: 'push' | 'replace',
  downlinks: object[],
): Promise<void> {
  await callAboutDevice(session, devEui, (deviceId) =>
    session.askCluster({
      method: 'POST',
      path: `${devicePath(session, 'application', deviceId)}/down/${operation}`,
      body: { downlinks },
    }),
  )
}

function readItem(item: unknown): QueuedDownlink {
  if (!isObject(item)) throw new NotOurMessage('downlinks must be a list of objects.')
  return {
    id: readQueueItemId(item) ?? `${item.session_key_id ?? ''}:${readUint32(item, 'f_cnt')}`,
    fPort: readUint32(item, 'f_port'),
    payload: readBytes(item, 'frm_payload'),
    confirmed: readTruth(item, 'confirmed'),
    isPending: false,
  }
}
