import type { Queryable } from '../../db/connect.ts'
import { findNetwork } from '../../networks/index.ts'
import type { ChangedDevice } from '../inventory/device-queries.ts'
import { findHindrances } from '../provisioning/hindrances.ts'
import type { DeviceChanges } from './device-changes.ts'

/**
 * What the network is told of the changes. A device that it refused is offered to it again, as it
 * is now; adding one that is there gives it its new key.
 */
export function callAfter(
  device: ChangedDevice,
  { device_name: name, deviceKey: key }: DeviceChanges,
): 'add' | 'rename' | undefined {
  if (device.is_console_only || (name === undefined && key === undefined)) return undefined
  if (device.register_status === 'register_error') return 'add'
  const can = findNetwork(device.network)?.adapter?.capabilities
  if (key !== undefined && can?.rekeys) return 'add'
  return name === undefined ? undefined : 'rename'
}

/** What becomes of the changes at the network, as far as it is not just what was asked for. */
export async function warnOfChanges(
  db: Queryable,
  organizationId: number,
  device: ChangedDevice,
  changes: DeviceChanges,
): Promise<string[]> {
  if (device.is_console_only) return []
  const { adapter, name = device.network } = findNetwork(device.network) ?? {}
  const warnings: string[] = []
  const { device_name, deviceKey } = changes
  const isThere = device.register_status === 'active'
  if (deviceKey !== undefined && (adapter?.capabilities.rekeys || !isThere)) {
    warnings.push(`The new key goes to ${name}: the device must have it too for its next join.`)
  } else if (deviceKey !== undefined) {
    warnings.push(
      `The new key is kept here only: ${name} takes none for a device that it has. Change it there as well.`,
    )
  }
  if (device_name !== undefined && adapter?.capabilities.renames === false) {
    warnings.push(`The new name is kept here only: ${name} takes none for a device that it has.`)
  }
  if (changes.deviceType !== undefined) {
    warnings.push(`The type is kept here only: ${name} is not told of it.`)
  }
  // Of one that is not there yet, the reason stands with it.
  if (!isThere || !callAfter(device, changes)) return warnings
  const hindrance = (await findHindrances(db, organizationId))(device)
  return hindrance?.waits
    ? [...warnings, `${hindrance.reason} The change waits until then.`]
    : warnings
}
