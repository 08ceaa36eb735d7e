import type { Queryable } from '../../db/connect.ts'
import type { FrameMemory, StatusChange } from '../../sensors/sensor.ts'

/** What is known of a device from its uplinks, as the batch writer holds it. */
export interface DeviceState {
  device_id: number
  uplink_count: number
  /** ISO 8601 in UTC with microseconds; null before the first uplink. */
  last_seen: string | null
  status: StatusChange
  /** For each field of `status`, the receive time of the frame that told it. */
  status_times: Partial<Record<keyof StatusChange, string>>
  /** Whether its network holds downlinks for it. */
  has_held_downlinks?: boolean
}

/** The state of the devices, in the statement that is made anyway whether downlinks wait for them. */
export async function readStates(
  tx: Queryable,
  deviceIds: number[],
): Promise<Map<number, DeviceState>> {
  const states = await tx.query<DeviceState>(
    `select device_id, uplink_count, status, status_times,
       to_char(last_seen, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as last_seen,
       exists (
         select from downlinks
         where downlinks.organization_id = device_states.organization_id
           and downlinks.device_id = device_states.device_id and downlinks.state = 'handed_over'
       ) as has_held_downlinks
     from device_states
     where device_id = any($1::bigint[])`,
    [deviceIds],
  )
  return new Map(states.map((state) => [state.device_id, state]))
}

interface MemoryRow {
  organization_id: number
  device_id: number
  memory: FrameMemory
}

/** What is kept of devices for reading their frames together. */
export function readMemories(
  tx: Queryable,
  devices: readonly { id: number; organization_id: number }[],
) {
  return tx.query<Omit<MemoryRow, 'organization_id'>>(
    `select device_id, memory
     from frame_memories
     where (organization_id, device_id) in (select * from unnest($1::bigint[], $2::bigint[]))`,
    [devices.map((device) => device.organization_id), devices.map((device) => device.id)],
  )
}

export async function writeMemories(tx: Queryable, rows: MemoryRow[]): Promise<void> {
  await tx.query(
    `insert into frame_memories (organization_id, device_id, memory)
     select organization_id, device_id, memory
     from json_to_recordset($1::json)
       as changed (organization_id bigint, device_id bigint, memory jsonb)
     on conflict (organization_id, device_id) do update set memory = excluded.memory`,
    [JSON.stringify(rows)],
  )
}

/** What one gateway heard in a batch. */
export interface GatewayReception {
  organization_id: number
  network: string
  eui: string
  uplinks: number
  first: string
  last: string
}

/**
 * Adds the tally to the registered ones among the gateways. Within an organization writers take
 * turns at its counter, so no two of them hold gateways that the other waits for. Measured: 6 ms of
 * the 80 ms of a batch of 500 uplinks, each heard by two of 200 gateways.
 */
export async function countReceptions(tx: Queryable, rows: GatewayReception[]): Promise<void> {
  if (rows.length === 0) return
  await tx.query(
    `update gateway_states as states
     set uplink_count = states.uplink_count + incoming.uplinks,
       first_seen = least(states.first_seen, incoming.first),
       last_seen = greatest(states.last_seen, incoming.last)
     from json_to_recordset($1::json) as incoming (
       organization_id bigint, network text, eui text, uplinks bigint, first timestamptz,
       last timestamptz
     )
     join gateways on gateways.organization_id = incoming.organization_id
       and gateways.network = incoming.network and gateways.eui = incoming.eui
       and gateways.deleted_at is null
     where states.gateway_id = gateways.id`,
    [JSON.stringify(rows)],
  )
}
