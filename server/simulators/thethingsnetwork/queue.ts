// Members that the application server and the network server add to the items of a queue:
// correlation ids, and frame counters. In LoRaWAN 1.0.x the network's own frames use the same
// counters.
import type { JsonObject } from '../../src/networks/message-fields.ts'
import type { FarDevice, FarDownlink } from '../far-dialect.ts'
import type { Random } from '../random.ts'
import { isJoining, objectIn, type StackSession, type StoredDevice } from './store.ts'

type Device = FarDevice<StoredDevice>

/** A downlink with all members that its sender set. */
interface StackDownlink extends FarDownlink {
  sent: JsonObject
}

/** By item. The sender can't change them, and they stay when the queue is replaced. */
const frameCounters = new WeakMap<FarDownlink, number>()
const serverIds = new WeakMap<FarDownlink, string[]>()
const serverPrefix = 'as:downlink:'
const mostRecent = 5

/** Makes the queued downlink. The application server adds a correlation id of its own each time. */
export function readDownlink(item: JsonObject, random: Random): StackDownlink {
  const { session_key_id: _key, f_cnt: _counter, decoded_payload: _decoded, ...sent } = item
  const ids = Array.isArray(item.correlation_ids) ? item.correlation_ids.map(String) : []
  const ofServer = ids.filter((id) => id.startsWith(serverPrefix))
  const ofSender = ids.filter((id) => !id.startsWith(serverPrefix))
  const downlink = {
    id: ofSender[0] ?? ofServer[0] ?? '',
    fPort: Number(item.f_port),
    data: Buffer.from(String(item.frm_payload), 'base64'),
    confirmed: item.confirmed === true,
    sent: { ...sent, correlation_ids: ofSender },
  }
  serverIds.set(downlink, [...ofServer, `${serverPrefix}${random.hexadecimal(13).toUpperCase()}`])
  return downlink
}

/**
 * Returns the frame counter of an item. The item gets it when it is queued (payload.go,
 * encryptDownlinks).
 */
export function countFrame({ record }: Device, item: FarDownlink): number {
  const known = frameCounters.get(item)
  if (known !== undefined) return known
  const session = sessionOf(record)
  session.lastAFCntDown += 1
  frameCounters.set(item, session.lastAFCntDown)
  return session.lastAFCntDown
}

/** Records a sent downlink (pkg/networkserver/downlink.go, recordDataDownlink). */
export function noteSent({ record }: Device, item: FarDownlink, counter: number): void {
  const session = sessionOf(record)
  session.lastNFCntDown = counter
  const frame = {
    payload: {
      m_hdr: { m_type: item.confirmed ? 'CONFIRMED_DOWN' : 'UNCONFIRMED_DOWN' },
      mac_payload: { f_port: item.fPort, full_f_cnt: counter },
    },
    correlation_ids: idsOf(item),
  }
  session.recentDownlinks = [...session.recentDownlinks, frame].slice(-mostRecent)
}

/** How often a confirmed downlink is sent (pkg/applicationserver/config.go). */
const mostAttempts = 8

/**
 * A downlink that was not acknowledged goes to the front of the queue again, until all attempts are
 * made: too late for the window of the uplink that shows it. Returns it as its message has it.
 */
export function sendAgain(device: Device, item: FarDownlink): JsonObject {
  const { sent = {} } = item as Partial<StackDownlink>
  const retry = objectIn(sent, 'confirmed_retry')
  const attempt = Number(retry.attempt ?? 0) + 1
  const confirmed_retry = { ...retry, attempt }
  const described = { ...describeDownlink(device, item), confirmed_retry }
  if (attempt >= Number(retry.max_attempts ?? mostAttempts)) return described
  const again = { ...item, sent: { ...sent, confirmed_retry } }
  serverIds.set(again, serverIds.get(item) ?? [])
  device.record.repeated = [again]
  return described
}

/** Queues what was not acknowledged. */
export function queueAgain(device: Device): void {
  device.queue.unshift(...(device.record.repeated ?? []))
  delete device.record.repeated
}

/** A join begins a session. The application server then queues all items again. */
export function beginSession({ record, queue }: Device): void {
  record.session = { lastAFCntDown: 0, lastNFCntDown: 0, recentDownlinks: [] }
  for (const item of queue) frameCounters.delete(item)
}

function sessionOf(record: StoredDevice): StackSession {
  record.session ??= { lastAFCntDown: 0, lastNFCntDown: 0, recentDownlinks: [] }
  return record.session
}

/** Makes an `ApplicationDownlink` in JSON, without zero values. */
export function describeDownlink(device: Device, item: FarDownlink): JsonObject {
  const { sent = {} } = item as Partial<StackDownlink>
  return {
    ...(isJoining(device.record) ? { session_key_id: 'AXBSp8v2brG0jqkri+sIkw==' } : {}),
    ...sent,
    f_port: item.fPort,
    f_cnt: countFrame(device, item),
    frm_payload: item.data.toString('base64'),
    ...(item.confirmed ? { confirmed: true } : {}),
    correlation_ids: idsOf(item),
  }
}

function idsOf(item: FarDownlink): string[] {
  const { sent } = item as Partial<StackDownlink>
  const ofSender = Array.isArray(sent?.correlation_ids) ? sent.correlation_ids : [item.id]
  return [...(serverIds.get(item) ?? []), ...ofSender]
}
