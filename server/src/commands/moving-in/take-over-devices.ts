import { countOf } from '../command.ts'
import type { ServiceApi } from '../service-api.ts'
import { adoptRows, toDeviceAdoption } from './adopt-rows.ts'
import type { TypeChoice } from './choose-types.ts'
import { openGroupTree } from './group-tree.ts'
import { readDevices, readTypes } from './known-fleet.ts'
import { makeTypes } from './make-types.ts'
import { placeRows } from './place-rows.ts'
import { planRows, type Row, type Way, type World } from './plan.ts'
import type { Progress } from './progress.ts'
import { registerRows } from './register-rows.ts'
import { setVariables } from './set-variables.ts'
import type { Source } from './source.ts'
import type { DevicePlace } from './source-device.ts'

export interface DeviceTakeOver extends Pick<World, 'accounts' | 'foreign'> {
  way: Way
  /** Where devices and gateways are, or are to be, as far as the source does not say so. */
  place: DevicePlace
  choice: TypeChoice
  isDryRun: boolean
  /** Profiles with a codec become device types of the organization's own. */
  makesTypes: boolean
  signal: AbortSignal
  progress: Progress
}

/** Brings the devices of a source into the service, and says what became of each. */
export async function takeOverDevices(
  service: ServiceApi,
  source: Source,
  { accounts, foreign, ...plan }: DeviceTakeOver,
): Promise<Row[]> {
  const { way, place, choice, isDryRun } = plan
  const devices = await readDevices(service)
  const types = await readTypes(service)
  const tree = await openGroupTree(service)
  if (plan.makesTypes) {
    const { tell } = plan.progress
    types.push(...(await makeTypes(service, source, { types, choice, isDryRun, tell })))
  }
  const world = {
    way,
    place,
    choice,
    devices,
    types,
    tree,
    foreign,
    accounts,
    lacking: source.lacking,
  }
  const rows = planRows(source.devices, world)
  tellUntyped(rows, plan.progress)
  const planned = (...actions: Row['action'][]) =>
    rows.filter(({ action, status }) => status === 'planned' && actions.includes(action))
  const { progress } = plan
  if (!isDryRun) {
    const adopting = { toRequest: toDeviceAdoption, progress }
    await adoptRows(service, place, planned('adopt'), adopting)
  }
  await registerRows(service, planned('register', 'record'), { ...plan, title: source.name })
  if (isDryRun) return rows
  await placeRows(service, rows, tree, await readDevices(service))
  await setVariables(service, rows, plan.signal)
  return rows
}

/** A profile without a device type is reported once, next to its devices. */
function tellUntyped(rows: readonly Row[], { tell }: Progress): void {
  const untyped = rows.filter(({ isUntyped }) => isUntyped)
  for (const [message, { length }] of Map.groupBy(untyped, (row) => row.message)) {
    tell(`${countOf(length, 'device')} left out: ${message}`)
  }
}
