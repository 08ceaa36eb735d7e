import type { Answer } from '../api/client.ts'
import type { StateKind } from '../ui/state.tsx'

export type FleetDevice = Answer<'GET /fleet/devices'>['data'][number]

export interface Condition {
  kind: StateKind
  word: string
}

/** A device that was not heard for so many hours counts as silent, here as in the overview. */
export const silentHours = 24
const hour = 3_600_000

/** What is to be said of a device, the most serious first; that it is well, if there is nothing. */
export function conditionsOf(device: FleetDevice, now: number): Condition[] {
  const found: Condition[] = []
  const add = (isSo: boolean | null, kind: StateKind, word: string) => {
    if (isSo) found.push({ kind, word })
  }
  const silence = device.last_seen === null ? undefined : now - Date.parse(device.last_seen)
  add(device.device_register_status === 'register_error', 'bad', 'Not registered')
  add(device.tamper, 'bad', 'Tampered')
  add(silence !== undefined && silence > silentHours * hour, 'warn', 'Silent')
  add(device.low_battery, 'warn', 'Low battery')
  add(device.config_error, 'warn', 'Config error')
  add(device.device_register_status === 'pending', 'waiting', 'Pending')
  add(!device.is_active, 'off', 'Inactive')
  add(silence === undefined && device.device_register_status === 'active', 'off', 'Never heard')
  return found.length > 0 ? found : [{ kind: 'good', word: 'OK' }]
}
