import type { Queryable } from '../../db/connect.ts'
import { reassembleFrame } from '../../sensors/reassembly.ts'
import type { Frame, FrameMemory, Reading } from '../../sensors/sensor.ts'

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

interface MemoryRow {
  organization_id: number
  device_id: number
  memory: FrameMemory
}

function readMemories(tx: Queryable, devices: readonly JoinedFrame['device'][]) {
  return tx.query<Omit<MemoryRow, 'organization_id'>>(
    `select device_id, memory
     from frame_memories
     where (organization_id, device_id) in (select * from unnest($1::bigint[], $2::bigint[]))`,
    [devices.map((device) => device.organization_id), devices.map((device) => device.id)],
  )
}

async function writeMemories(tx: Queryable, rows: MemoryRow[]): Promise<void> {
  await tx.query(
    `insert into frame_memories (organization_id, device_id, memory)
     select organization_id, device_id, memory
     from json_to_recordset($1::json)
       as changed (organization_id bigint, device_id bigint, memory jsonb)
     on conflict (organization_id, device_id) do update set memory = excluded.memory`,
    [JSON.stringify(rows)],
  )
}
