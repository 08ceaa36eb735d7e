import type { FilePlace } from '../../lora/device-file/place.ts'
import { countOf } from '../command.ts'
import { type ServiceApi, ServiceRefusal } from '../service-api.ts'
import { adoptRows, toDeviceAdoption } from './adopt-rows.ts'
import { chooseType, type TypeChoice } from './choose-types.ts'
import { type GroupTree, openGroupTree } from './group-tree.ts'
import { inTurns } from './in-turns.ts'
import { findAccount, type KnownAccount, noAccountAt, readAccounts } from './known-accounts.ts'
import {
  gatewayPlaceOf,
  type KnownDevice,
  type KnownType,
  readDevices,
  readForeign,
  readGateways,
  readTypes,
} from './known-fleet.ts'
import { planRows, type Row, type Way, type World } from './plan.ts'
import {
  type GatewayRow,
  type GatewayWorld,
  planGateways,
  toRegistration,
} from './plan-gateways.ts'
import type { Progress } from './progress.ts'
import { registerRows } from './register-rows.ts'
import type { Source } from './source.ts'
import type { DevicePlace } from './source-device.ts'
import type { SourceGateway } from './source-gateway.ts'

interface Making {
  types: readonly KnownType[]
  choice: TypeChoice
  isDryRun: boolean
  tell(line: string): void
}

/** Stands for a type that a dry run would make. */
const unmadeId = 0

/**
 * Makes a device type of the organization's own for each profile of the source that has a codec and
 * no type yet: with its name and its codec. Returns them; a codec that the service refuses has none.
 */
async function makeTypes(
  service: ServiceApi,
  { devices, codecs, lacking }: Source,
  { types, choice, isDryRun, tell }: Making,
): Promise<KnownType[]> {
  const made: KnownType[] = []
  for (const name of new Set(devices.flatMap(({ profile }) => profile ?? []))) {
    const codec = codecs.get(name)
    if (!codec || 'id' in chooseType(choice, types, name)) continue
    const words = lacking?.has(name) ? ` ${lacking.get(name)}` : ''
    if (isDryRun) {
      tell(`The device type "${name}" would be made, with its codec.${words}`)
      made.push({ id: unmadeId, name })
      continue
    }
    try {
      const { format: payload_format, script } = codec
      const body = { type_name: name, payload_format, ...(script && { codec: script }) }
      const { data } = await service.call('POST', '/device-types', { body })
      made.push({ id: data.id, name })
      tell(`The device type "${name}" was made, with its codec.${words}`)
    } catch (error) {
      if (!(error instanceof ServiceRefusal) || error.status !== 422) throw error
      tell(`The device type "${name}" was not made. ${error.message}`)
    }
  }
  return made
}

/** Devices of one request. */
const perRequest = 5000

/**
 * Puts the devices that are here now into their groups, and makes the groups that are missing. Groups
 * that a device is in already stay.
 */
async function placeRows(
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

/**
 * Gives devices that are here now the variables that their codecs read at the source. A device that has
 * variables here keeps them. The report shows next to the device what the service refuses.
 */
async function setVariables(
  service: ServiceApi,
  rows: readonly Row[],
  signal: AbortSignal,
): Promise<void> {
  const given = rows.filter(
    ({ device, status }) => status === 'done' && Object.keys(device.variables).length > 0,
  )
  await inTurns(given, signal, async (row) => {
    const path = `/devices/${row.device.eui}/variables`
    try {
      const { data } = await service.call('GET', path)
      if (Object.keys(data.variables).length > 0) return
      await service.call('PUT', path, { body: { variables: row.device.variables } })
    } catch (error) {
      if (!(error instanceof ServiceRefusal)) throw error
      row.message += ` Its variables were not taken over: ${error.words}`
    }
  })
}

interface DeviceTakeOver extends Pick<World, 'accounts' | 'foreign'> {
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
async function takeOverDevices(
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

export interface GatewayTakeOver extends Omit<GatewayWorld, 'gateways'> {
  isDryRun: boolean
  signal: AbortSignal
  progress: Progress
}

/**
 * Brings the gateways of a source into the service, and says what became of each. As with devices, a
 * second run does only what is missing, and a dry run changes nothing.
 */
async function takeOverGateways(
  service: ServiceApi,
  gateways: readonly SourceGateway[],
  plan: GatewayTakeOver,
): Promise<GatewayRow[]> {
  if (gateways.length === 0) return []
  const rows = planGateways(gateways, { ...plan, gateways: await readGateways(service) })
  if (plan.isDryRun) return rows
  const planned = (wanted: GatewayRow['action']) =>
    rows.filter(({ action, status }) => status === 'planned' && action === wanted)
  await adoptRows(service, plan.place, planned('adopt'), { ...plan, toRequest: toAdoption })
  await registerGateways(service, planned('register'), plan)
  await placeGateways(service, rows, plan)
  return rows
}

function toAdoption({ gateway: { eui, name } }: GatewayRow) {
  return { kind: 'gateway', eui, action: 'adopt', gateway_name: name }
}

interface Registered {
  gateway: { register_status: 'pending' | 'active' | 'register_error'; error_msg: string | null }
  message: string
}

/** The service tells the network of each at once. */
async function registerGateways(
  service: ServiceApi,
  rows: readonly GatewayRow[],
  plan: GatewayTakeOver,
): Promise<void> {
  let done = 0
  await inTurns(rows, plan.signal, async (row) => {
    const body = toRegistration(row.gateway, plan)
    try {
      noteRegistered(row, await service.call('POST', '/gateways', { body }))
    } catch (error) {
      if (!(error instanceof ServiceRefusal)) throw error
      row.status = 'failed'
      row.message = error.words
    }
    done += 1
    plan.progress.count('gateways registered', done, rows.length)
  })
}

function noteRegistered(row: GatewayRow, { gateway, message }: Registered): void {
  const { register_status: status, error_msg: words } = gateway
  row.status = status === 'register_error' ? 'failed' : 'done'
  const reason = words ?? 'its network has not answered yet.'
  if (status === 'active') row.message = message
  else if (status === 'pending') row.message = `Registered here, pending: ${reason}`
  else row.message = `Registered here, but refused by its network: ${reason}`
}

/** Puts gateways on the map that are here now, and have no place on it. */
async function placeGateways(
  service: ServiceApi,
  rows: readonly GatewayRow[],
  { place, signal }: GatewayTakeOver,
): Promise<void> {
  const placed = rows.filter(({ gateway, status }) => gateway.position && status !== 'failed')
  if (placed.length === 0) return
  const known = await readGateways(service)
  await inTurns(placed, signal, async (row) => {
    const { eui, position, place: own } = row.gateway
    const found = known.get(gatewayPlaceOf(own.network ?? place.network, eui))
    if (!found || found.isPlaced || !position) return
    const refusal = await putOnMap(service, found.id, position)
    if (row.action === 'place') {
      row.status = refusal === undefined ? 'done' : 'failed'
      row.message = refusal ?? 'Already here; put on the map.'
    } else if (refusal !== undefined) row.message += ` Not put on the map: ${refusal}`
  })
}

/** Returns the service's words where it refuses. */
async function putOnMap(
  service: ServiceApi,
  id: number,
  position: FilePlace,
): Promise<string | undefined> {
  try {
    await service.call('PATCH', `/gateways/${id}`, { body: position })
    return undefined
  } catch (error) {
    if (error instanceof ServiceRefusal) return error.words
    throw error
  }
}

export interface TakeOver extends Omit<DeviceTakeOver, 'accounts' | 'foreign'> {
  /** For gateways, as far as the source does not say so: members of POST /gateways. */
  fields: GatewayWorld['fields']
  /** Whether the account can be asked what its network lists. */
  isConnected: boolean
}

/**
 * Brings the devices and gateways of a source into the service, and says what became of each. A second
 * run does only what is missing, so a run that was stopped is simply repeated. A dry run changes
 * nothing.
 */
export async function takeOver(
  service: ServiceApi,
  source: Source,
  plan: TakeOver,
): Promise<{ devices: Row[]; gateways: GatewayRow[] }> {
  const accounts = await readNeededAccounts(service, source, plan)
  const isListed = plan.way === 'adopt' && plan.isConnected
  const foreign = isListed ? await readForeign(service, plan.place) : undefined
  const known = { ...plan, accounts }
  const devices = await takeOverDevices(service, source, { ...known, foreign: foreign?.device })
  const gateways = await takeOverGateways(service, source.gateways, { ...known, foreign })
  return { devices, gateways }
}

/**
 * The organization's accounts, if a place names one or gateways are registered.
 * @throws Error where the account at which all stay is missing
 */
async function readNeededAccounts(
  service: ServiceApi,
  { devices, gateways }: Source,
  { way, place, isConnected }: TakeOver,
): Promise<KnownAccount[]> {
  const places = [{ place }, ...devices, ...gateways].map((each) => each.place)
  const isNamed = places.some(({ accountName }) => accountName !== undefined)
  if (!isNamed && (gateways.length === 0 || way !== 'register')) return []
  const accounts = await readAccounts(service)
  const isAsked = way === 'adopt' && isConnected
  if (!isAsked || place.accountName === undefined || findAccount(accounts, place)) return accounts
  throw new Error(`${noAccountAt(place)}: connect it first, by --connect or in the console.`)
}
