import type { ServiceApi } from '../service-api.ts'
import type { GroupTree } from './group-tree.ts'
import type { KnownDevice } from './known-fleet.ts'
import type { Row } from './plan.ts'

/** Devices of one request. */
const perRequest = 5000

/**
 * Puts the devices that are here now into their groups, and makes the groups that are missing. Groups
 * that a device is in already stay.
 */
export async function placeRows(
  service: ServiceApi,
  rows: readonly Row[],
  tree: GroupTree,
  devices: ReadonlyMap<string, KnownDevice>,
): Promise<void> {
  const placed = Map.groupBy(
    rows.filter(({ device, status }) => device.group.length > 0 && status !== 'failed'),
    ({ device }) => JSON.stringify(device.group),
  )
  for (const [path, members] of placed) {
    const groupId = await tree.make(JSON.parse(path))
    const ids = members.flatMap(({ device }) => {
      const known = devices.get(device.eui)
      return known && !known.groups.has(groupId) ? known.id : []
    })
    for (let start = 0; start < ids.length; start += perRequest) {
      const body = { add: ids.slice(start, start + perRequest) }
      await service.call('POST', `/fleet/groups/${groupId}/devices`, { body })
    }
    for (const row of members) {
      if (row.action !== 'group') continue
      row.status = 'done'
      row.message = 'Already here; put into its group.'
    }
  }
}
