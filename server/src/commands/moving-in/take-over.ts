import type { ServiceApi } from '../service-api.ts'
import { adoptRows } from './adopt-rows.ts'
import type { TypeChoice } from './choose-types.ts'
import { openGroupTree } from './group-tree.ts'
import { findAccount, type KnownAccount, noAccountAt, readAccounts } from './known-accounts.ts'
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
  const accounts = await readNamedAccounts(service, source, plan)
  const devices = await readDevices(service)
  const types = await readTypes(service)
  const tree = await openGroupTree(service)
  if (plan.makesTypes) {
    const { tell } = plan.progress
    types.push(...(await makeTypes(service, source, { types, choice, isDryRun, tell })))
  }
  const isListed = way === 'adopt' && plan.isConnected
  const foreign = isListed ? (await readForeign(service, place)).device : undefined
  const world = { way, place, choice, devices, types, tree, foreign, accounts }
  const rows = planRows(source.devices, world)
  const planned = (...actions: Row['action'][]) =>
    rows.filter(({ action, status }) => status === 'planned' && actions.includes(action))
  if (!isDryRun) await adoptRows(service, place, planned('adopt'), plan.progress)
  await registerRows(service, planned('register', 'record'), { ...plan, title: source.name })
  if (!isDryRun) await placeRows(service, rows, tree, await readDevices(service))
  return rows
}

/** The organization's accounts, if a place names one. @throws Error where the devices' own is missing. */
async function readNamedAccounts(
  service: ServiceApi,
  { devices }: Source,
  { way, place, isConnected }: TakeOver,
): Promise<KnownAccount[]> {
  const places = [place, ...devices.map((device) => device.place)]
  if (places.every(({ accountName }) => accountName === undefined)) return []
  const accounts = await readAccounts(service)
  const isAsked = way === 'adopt' && isConnected
  if (!isAsked || place.accountName === undefined || findAccount(accounts, place)) return accounts
  throw new Error(`${noAccountAt(place)}: connect it first, by --connect or in the console.`)
}
