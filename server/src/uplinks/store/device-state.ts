import type { Queryable } from '../../db/connect.ts'
import type { Transaction } from '../../db/transaction.ts'
import { reassembleFrame } from '../../sensors/reassembly.ts'
import type { Frame, Reading, StatusChange } from '../../sensors/sensor.ts'
import { type DeviceState, readMemories, writeMemories } from './state-queries.ts'

/**
 * The time that puts a frame in order: the time that its network reports, but never later than its
 * arrival here. With a network clock that runs ahead, or a time in the far future, the state would
 * otherwise ignore all later frames. The uplink itself keeps the time of the network.
 */
export function heardAt(receivedAt: string, arrivedAt: string): string {
  return receivedAt < arrivedAt ? receivedAt : arrivedAt
}

/**
 * Applies the changes of a frame heard at `time` to the state. A field keeps the value of the
 * latest frame that contains it, so a late frame never overwrites a newer state.
 */
export function mergeStatus(state: DeviceState, time: string, change: StatusChange): void {
  if (state.last_seen === null || time > state.last_seen) state.last_seen = time
  for (const field of Object.keys(change) as (keyof StatusChange)[]) {
    const known = state.status_times[field]
    if (known !== undefined && known > time) continue
    Object.assign(state.status, { [field]: change[field] })
    state.status_times[field] = time
  }
}

/** A frame that is decoded together with other frames of its device. */
interface JoinedFrame {
  device: { id: number; organization_id: number }
  frame: Frame
  reading: Reading
  /** The time of `heardAt`: ISO 8601 in UTC with microseconds. */
  heard: string
}

/**
 * The stored parts of messages that take several frames, for each device. Call `save` in the
 * transaction that stores the uplinks, under the lock of the counters of their organizations.
 */
export interface FrameMemories {
  join(frame: JoinedFrame): Reading
  save(tx: Transaction): void
}

/** Queries the database only if `devices` is not empty. Most batches contain no such frame. */
export async function openMemories(
  tx: Queryable,
  devices: readonly JoinedFrame['device'][],
): Promise<FrameMemories> {
  const known = devices.length === 0 ? [] : await readMemories(tx, devices)
  const memories = new Map(known.map((row) => [row.device_id, row.memory]))
  const changed = new Map<number, number>()
  return {
    join({ device, frame, reading, heard }) {
      const joined = reassembleFrame(frame, reading, heard, memories.get(device.id) ?? {})
      memories.set(device.id, joined.memory)
      changed.set(device.id, device.organization_id)
      return joined.reading
    },
    save(tx) {
      if (changed.size === 0) return
      const rows = [...changed].map(([device_id, organization_id]) => {
        return { organization_id, device_id, memory: memories.get(device_id) ?? {} }
      })
      writeMemories(tx, rows)
    },
  }
}
