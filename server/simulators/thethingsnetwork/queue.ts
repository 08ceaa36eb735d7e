// Members that application and network server add to the items of a queue: frame counters (shared
// with the network's own frames in LoRaWAN 1.0.x) and correlation ids.
import type { JsonObject } from '../../src/networks/message-fields.ts'
import type { FarDevice, FarDownlink } from '../far-dialect.ts'
import type { Random } from '../random.ts'
import type { StackSession, StoredDevice } from './store.ts'

type Device = FarDevice<StoredDevice>

/** A downlink with all members that its sender gave it. */
interface StackDownlink extends FarDownlink {
  sent: JsonObject
}

/** By item; neither its sender nor a replaced queue changes them. */
const frameCounters = new WeakMap<FarDownlink, number>()
const serverIds = new WeakMap<FarDownlink, string[]>()
const serverPrefix = 'as:downlink:'
const mostRecent = 5

/** As it is queued; the application server adds a correlation id of its own each time. */
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

/** Its frame counter, which an item is given when it is queued (payload.go, encryptDownlinks). */
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

/** A join begins a session, for which the application server queues everything anew. */
export function beginSession({ record, queue }: Device): void {
  record.session = { lastAFCntDown: 0, lastNFCntDown: 0, recentDownlinks: [] }
  for (const item of queue) frameCounters.delete(item)
}

function sessionOf(record: StoredDevice): StackSession {
  record.session ??= { lastAFCntDown: 0, lastNFCntDown: 0, recentDownlinks: [] }
  return record.session
}

/** `ApplicationDownlink` in JSON, zero values left out. */
export function describeDownlink(device: Device, item: FarDownlink): JsonObject {
  const { sent = {} } = item as Partial<StackDownlink>
  return {
    session_key_id: 'AXBSp8v2brG0jqkri+sIkw==',
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
