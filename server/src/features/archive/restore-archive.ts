import type { Manifest, MemberName } from './archive-format.ts'
import { findOwner } from './import-queries.ts'
import { openArchive } from './read-archive.ts'
import { restoreDevices } from './restore-devices.ts'
import { restoreGateways } from './restore-gateways.ts'
import { restoreGroups } from './restore-groups.ts'
import { restoreTypes } from './restore-types.ts'
import { restoreUplinks } from './restore-uplinks.ts'
import type { Restored, Restoring } from './restoring.ts'

export type RestoreResult = Record<Exclude<MemberName, 'network_accounts'>, Restored>

/**
 * Brings an archive into an organization. What is there already stays as it is: groups by their path,
 * types by name and codec, gateways and devices by their EUI. Devices are recorded as they were, and
 * no network hears of them. Uplinks keep their times. It goes on where an earlier run stopped.
 * @throws Error for a person to read.
 */
export async function restoreArchive(
  given: Omit<Restoring, 'userId' | 'manifest'>,
): Promise<{ manifest: Manifest; result: RestoreResult }> {
  const owner = await findOwner(given.db, given.organizationId)
  if (!owner) throw new Error(`There is no organization ${given.organizationId} with a member.`)
  const manifest = await openArchive(given.directory)
  const restoring = { ...given, ...owner, manifest }
  const groups = await restoreGroups(restoring)
  const types = await restoreTypes(restoring)
  const gateways = await restoreGateways(restoring)
  const maps = { groups: groups.ids, types: types.ids, gateways: gateways.ids }
  const devices = await restoreDevices(restoring, maps)
  const uplinks = await restoreUplinks(restoring, devices.ids)
  await devices.settle()
  return {
    manifest,
    result: {
      groups: groups.restored,
      device_types: types.restored,
      gateways: gateways.restored,
      devices: devices.restored,
      uplinks,
    },
  }
}
