import type { Queryable } from '../../db/connect.ts'
import { reassembleFrame } from '../../sensors/reassembly.ts'
import type { Frame, Reading, StatusChange } from '../../sensors/sensor.ts'
import { type DeviceState, readMemories, writeMemories } from './state-queries.ts'

/**
 * When a frame was heard, as far as the order of things goes: the time that its network tells, but
 * never later than its arrival here. A clock that runs ahead, or a time in a far future, would
 * else hold the state against all that follows. The uplink itself keeps the network's time.
 */
export function heardAt(receivedAt: string, arrivedAt: string): string {
  return receivedAt < arrivedAt ? receivedAt : arrivedAt
}

/**
 * Takes in what a frame heard at `time` tells. A field keeps the value of the latest frame
 * that told it, so a frame that arrives late never overwrites a newer state.
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

/** A frame that is read together with others of its device. */
interface JoinedFrame {
  device: { id: number; organization_id: number }
  frame: Frame
  reading: Reading
  /** When it was heard: ISO 8601 in UTC with microseconds. */
  heard: string
}

/**
 * What is kept of devices for reading their frames together. `save` belongs into the transaction
 * that stores the uplinks, under the lock of their organization's counter.
 */
export interface FrameMemories {
  join(frame: JoinedFrame): Reading
  save(tx: Queryable): Promise<void>
}

/** Asks the database only when there are such frames, which most batches have none of. */
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
    async save(tx) {
      if (changed.size === 0) return
      const rows = [...changed].map(([device_id, organization_id]) => {
        return { organization_id, device_id, memory: memories.get(device_id) ?? {} }
      })
      await writeMemories(tx, rows)
    },
  }
}
