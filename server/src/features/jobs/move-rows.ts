import { groupsUnknown } from '../devices/device-groups.ts'
import * as groupQueries from '../groups/group-queries.ts'
import { setGroups } from '../groups/grouped-device-queries.ts'
import { findDevices, listGroupsOfAll } from './job-device-queries.ts'
import type { SettingsOf } from './job-kinds.ts'
import { deviceNotFound, done, failed, type RowResult, type WorkRows } from './portion.ts'

/** Groups of one device, as everywhere. */
const mostGroups = 100

/** Adds devices to groups, takes them out, or gives them only these groups. */
export const moveRows: WorkRows = async (tx, _services, { job, sender, now }, rows) => {
  const { organizationId } = sender
  const settings = job.settings as SettingsOf<'move'>
  await groupQueries.lockTrees(tx, organizationId)
  const unknown: number[] = []
  for (const id of settings.groups) {
    if (!(await groupQueries.lock(tx, organizationId, id))) unknown.push(id)
  }
  if (unknown.length > 0) return rows.map(() => failed(groupsUnknown(unknown)))
  const euis = rows.flatMap(({ eui }) => eui ?? [])
  const devices = await findDevices(tx, organizationId, euis)
  const ids = [...devices.values()].map(({ id }) => id)
  const groupsOf = await listGroupsOfAll(tx, organizationId, ids)
  const moved = new Map<number, number[]>()
  const results = rows.map(({ eui }): RowResult => {
    const device = devices.get(eui ?? '')
    if (!device) return failed(deviceNotFound)
    const before = groupsOf.get(device.id) ?? []
    const groups = groupsAfter(before, settings)
    if (groups.length > mostGroups) {
      return failed(`A device may not be in more than ${mostGroups} groups.`, device.id)
    }
    const isSame = groups.length === before.length && groups.every((id) => before.includes(id))
    if (isSame) return done('It was there already.', device.id)
    moved.set(device.id, groups)
    return done(job.is_dry_run ? 'Would be moved.' : 'Moved.', device.id)
  })
  if (!job.is_dry_run && moved.size > 0) {
    const all = [...moved].map(([deviceId, groups]) => ({ deviceId, groups }))
    await setGroups(tx, organizationId, all, now)
  }
  return results
}

function groupsAfter(before: readonly number[], { mode, groups }: SettingsOf<'move'>): number[] {
  if (mode === 'replace') return groups
  if (mode === 'remove') return before.filter((id) => !groups.includes(id))
  return [...new Set([...before, ...groups])]
}
