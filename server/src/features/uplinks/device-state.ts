import type { StatusChange } from '../../sensors/sensor.ts'

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
