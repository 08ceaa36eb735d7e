import type { Queryable } from '../../db/connect.ts'
import { numberArray } from '../../db/statements.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { FrameMemory, StatusChange } from '../../sensors/sensor.ts'

/** The state of a device from its uplinks, as the batch writer holds it. */
export interface DeviceState {
  organization_id: number
  device_id: number
  uplink_count: number
  /** ISO 8601 in UTC with microseconds; null before the first uplink. */
  last_seen: string | null
  status: StatusChange
  /** For each field of `status`, the time (`heardAt`) of the frame that set it. */
  status_times: Partial<Record<keyof StatusChange, string>>
  /** Whether its network holds downlinks for it. */
  has_held_downlinks: boolean
  /** See `KnownDevice`. */
  version: string
}

/**
 * Reads the states of devices. The same statement reads whether their networks hold downlinks, and the
 * versions of the devices, so that neither costs a statement of its own. The row of a device stays when
 * it is deleted.
 */
export async function readStates(
  tx: Queryable,
  devices: readonly { id: number; organization_id: number }[],
): Promise<Map<number, DeviceState>> {
  const given = [...new Map(devices.map((device) => [device.id, device])).values()]
  const organizations = given.map(({ organization_id }) => organization_id)
  const states = await tx.query<DeviceState>(
    `select device_states.organization_id, device_states.device_id, device_states.uplink_count,
       device_states.status, device_states.status_times, devices.xmin::text as version,
       to_char(device_states.last_seen, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as last_seen,
       exists (
         select from downlinks
         where downlinks.organization_id = device_states.organization_id
           and downlinks.device_id = device_states.device_id and downlinks.state = 'handed_over'
       ) as has_held_downlinks
     from unnest($1::bigint[], $2::bigint[]) as given (organization_id, device_id)
     join device_states on device_states.organization_id = given.organization_id
       and device_states.device_id = given.device_id
     join devices on devices.organization_id = given.organization_id
       and devices.id = given.device_id
     where device_states.organization_id = any($3::bigint[])`,
    [
      numberArray(organizations),
      numberArray(given.map(({ id }) => id)),
      numberArray([...new Set(organizations)]),
    ],
  )
  return new Map(states.map((state) => [state.device_id, state]))
}

interface MemoryRow {
  organization_id: number
  device_id: number
  memory: FrameMemory
}

/** Reads the stored parts of messages that take several frames, for each device. */
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

export function writeMemories(tx: Transaction, rows: MemoryRow[]): void {
  tx.send(
    `insert into frame_memories (organization_id, device_id, memory)
     select organization_id, device_id, memory
     from json_to_recordset($1::json)
       as changed (organization_id bigint, device_id bigint, memory jsonb)
     on conflict (organization_id, device_id) do update set memory = excluded.memory`,
    [JSON.stringify(rows)],
  )
}

/** The uplinks of a batch that one gateway heard. */
export interface GatewayReception {
  organization_id: number
  network: string
  eui: string
  uplinks: number
  first: string
  last: string
  /** Where it stands, as the last of them that has it tells. */
  latitude?: number
  longitude?: number
}

/**
 * Adds the counts to those gateways that are registered. Within an organization, writers run one
 * after the other, by the lock of its counter. So no two writers wait for gateways that the other
 * has locked. Measured: 6 ms of the 80 ms of a batch of 500 uplinks, each heard by two of 200
 * gateways.
 */
export function countReceptions(tx: Transaction, rows: GatewayReception[]): void {
  if (rows.length === 0) return
  tx.send(
    `update gateway_states as states
     set uplink_count = states.uplink_count + incoming.uplinks,
       first_seen = least(states.first_seen, incoming.first),
       last_seen = greatest(states.last_seen, incoming.last),
       latitude = coalesce(incoming.latitude, states.latitude),
       longitude = coalesce(incoming.longitude, states.longitude)
     from json_to_recordset($1::json) as incoming (
       organization_id bigint, network text, eui text, uplinks bigint, first timestamptz,
       last timestamptz, latitude double precision, longitude double precision
     )
     join gateways on gateways.organization_id = incoming.organization_id
       and gateways.network = incoming.network and gateways.eui = incoming.eui
       and gateways.deleted_at is null
     where states.organization_id = gateways.organization_id and states.gateway_id = gateways.id`,
    [JSON.stringify(rows)],
  )
}
