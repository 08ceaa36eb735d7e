import type { ServiceApi } from '../service-api.ts'
import { adoptRows } from './adopt-rows.ts'
import type { TypeChoice } from './choose-types.ts'
import { openGroupTree } from './group-tree.ts'
import { readDevices, readForeign, readTypes } from './known-fleet.ts'
import { makeTypes } from './make-types.ts'
import { placeRows } from './place-rows.ts'
import { planRows, type Row, type Way } from './plan.ts'
import type { Progress } from './progress.ts'
import { registerRows } from './register-rows.ts'
import type { DevicePlace, Source } from './source-device.ts'

export interface TakeOver {
  way: Way
  /** Where devices are, or are to be, as far as the source does not say so. */
  place: DevicePlace
  choice: TypeChoice
  isDryRun: boolean
  /** Whether the account can be asked what its network lists. */
  isConnected: boolean
  /** Profiles with a codec become device types of the organization's own. */
  makesTypes: boolean
  signal: AbortSignal
  progress: Progress
}

/**
 * Brings the devices of a source into the service, and says what became of each. A second run does
 * only what is missing, so a run that was stopped is simply repeated. A dry run changes nothing.
 */
export async function takeOver(
  service: ServiceApi,
  source: Source,
  plan: TakeOver,
): Promise<Row[]> {
  const { way, place, choice, isDryRun } = plan
  const network = place.network ?? ''
  const devices = await readDevices(service)
  const types = await readTypes(service)
  const tree = await openGroupTree(service)
  if (plan.makesTypes) {
    const { tell } = plan.progress
    types.push(...(await makeTypes(service, source, { types, choice, isDryRun, tell })))
  }
  const isListed = way === 'adopt' && plan.isConnected
  const foreign = isListed ? (await readForeign(service, network)).device : undefined
  const world = { way, place, choice, devices, types, tree, foreign }
  const rows = planRows(source.devices, world)
  const planned = (...actions: Row['action'][]) =>
    rows.filter(({ action, status }) => status === 'planned' && actions.includes(action))
  if (!isDryRun) await adoptRows(service, network, planned('adopt'), plan.progress)
  await registerRows(service, planned('register', 'record'), { ...plan, title: source.name })
  if (!isDryRun) await placeRows(service, rows, tree, await readDevices(service))
  return rows
}
