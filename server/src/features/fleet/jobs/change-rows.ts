import { lockOrFindMissing } from '../device-types/device-type-queries.ts'
import { type DeviceChanges, findChangeFaults } from '../devices/device-changes.ts'
import { groupsUnknown } from '../devices/device-groups.ts'
import { changeDevices, type DeviceChange } from '../devices/device-writes.ts'
import * as groupQueries from '../groups/group-queries.ts'
import { setGroups } from '../groups/grouped-device-queries.ts'
import * as deviceQueries from '../inventory/device-queries.ts'
import { changeTags, tooManyTags } from '../inventory/tags.ts'
import { movesAlready, startMove } from '../moves/start-move.ts'
import type { SettingsOf } from './job-kinds.ts'
import { deviceNotFound, done, failed, type RowResult, type WorkRows } from './portion.ts'
import { findDevices, listGroupsOfAll, lockTags } from './row-queries.ts'

/**
 * Begins to move each device to another network, checked as in POST /devices/{device_id}/move. Each
 * move then takes its own time, so a row is done when its move has begun.
 */
export const changeNetworkRows: WorkRows = async (tx, services, { job, sender, now }, rows) => {
  const { target: body } = job.settings as SettingsOf<'change_network'>
  const euis = rows.flatMap(({ eui }) => eui ?? [])
  const devices = await findDevices(tx, sender.organizationId, euis)
  const isDryRun = job.is_dry_run
  const results: RowResult[] = []
  for (const { eui } of rows) {
    const deviceId = devices.get(eui ?? '')?.id
    const started =
      deviceId === undefined
        ? 'device_gone'
        : await startMove(tx, services, sender, { deviceId, body, now, isDryRun })
    results.push(resultOf(started, deviceId ?? null, isDryRun))
  }
  return results
}

function resultOf(
  started: Awaited<ReturnType<typeof startMove>>,
  deviceId: number | null,
  isDryRun: boolean,
): RowResult {
  if (started === 'device_gone') return failed(deviceNotFound)
  if (started === 'moves_already') return failed(movesAlready, deviceId)
  if ('errors' in started) return failed(Object.values(started.errors).flat().join(' '), deviceId)
  return done(isDryRun ? 'Would begin to move.' : `Move ${started.id} has begun.`, deviceId)
}

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

/** Makes the same change to each device, checked as in PATCH /devices/{device_id}. */
export const changeRows: WorkRows = async (tx, { sealer }, { job, sender, now }, rows) => {
  const { organizationId } = sender
  const {
    add_tags: added,
    remove_tags: removed,
    ...changes
  } = (job.settings as SettingsOf<'change'>).changes
  const euis = rows.flatMap(({ eui }) => eui ?? [])
  // Types are locked before devices, as in a change of one device.
  if (changes.deviceType !== undefined) {
    await lockOrFindMissing(tx, organizationId, [changes.deviceType])
  }
  const tagsOf = added || removed ? await lockTags(tx, organizationId, euis) : undefined
  const accepted = new Map<number, DeviceChange>()
  const results: RowResult[] = []
  for (const { eui } of rows) {
    const device = eui ? await deviceQueries.find(tx, organizationId, { id: null, eui }) : undefined
    if (!device) {
      results.push(failed(deviceNotFound))
      continue
    }
    const asked: DeviceChanges = changes
    const faults = await findChangeFaults(tx, organizationId, device, asked)
    const messages = Object.values(faults).flat()
    if (messages.length > 0) {
      results.push(failed(messages.join(' '), device.id))
      continue
    }
    const tags = tagsOf && changeTags(tagsOf.get(device.id) ?? {}, { added, removed })
    if (tagsOf && !tags) {
      results.push(failed(tooManyTags, device.id))
      continue
    }
    const { deviceType: typeId, extra_notes: notes, gatewayId } = changes
    accepted.set(device.id, { id: device.id, typeId, notes, gatewayId, tags })
    results.push(done(job.is_dry_run ? 'Would be changed.' : 'Changed.', device.id))
  }
  if (!job.is_dry_run) {
    await changeDevices(tx, sealer, organizationId, { changes: [...accepted.values()], now })
  }
  return results
}
