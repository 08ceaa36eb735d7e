import { isEui } from '../../lora/eui.ts'
import { chooseType, type TypeChoice } from './choose-types.ts'
import type { GroupTree } from './group-tree.ts'
import { findAccount, type KnownAccount, noAccountAt } from './known-accounts.ts'
import type { KnownDevice, KnownType } from './known-fleet.ts'
import type { DevicePlace, SourceDevice } from './source-device.ts'

/**
 * How devices come in. `adopt`: they stay at their network, which the organization's account also
 * names, and the service makes no call about them. `register`: the service creates them at a network.
 * `record`: the service keeps them as console-only and tells no network.
 */
export const ways = ['adopt', 'register', 'record'] as const
export type Way = (typeof ways)[number]

/** What is done with a row. `group`: the device is there and only its group is missing. */
export type Action = Way | 'group' | 'none'

export interface Row {
  /** Of a file, as a spreadsheet shows it; elsewhere from 1, in the order of the source. */
  number: number
  device: SourceDevice
  action: Action
  /** The id of a device type of the service; undefined where none is needed. */
  typeId: number | undefined
  /** No device type is known for its profile. */
  isUntyped?: boolean
  status: 'planned' | 'done' | 'failed'
  message: string
}

/** What is known of the service when the rows are planned. */
export interface World {
  way: Way
  /** Of devices whose source names no place. */
  place: DevicePlace
  devices: ReadonlyMap<string, KnownDevice>
  types: readonly KnownType[]
  choice: TypeChoice
  /** As in a source. */
  lacking: ReadonlyMap<string, string> | undefined
  tree: GroupTree
  /** EUIs that only the account's network has; undefined where that is not known. */
  foreign: ReadonlySet<string> | undefined
  /** Of the organization; only read where a place names one. */
  accounts: readonly KnownAccount[]
}

/** Plans the rows in order, each on its own. Nothing is changed. */
export function planRows(devices: readonly SourceDevice[], world: World): Row[] {
  const seen = new Map<string, number>()
  return devices.map((device, index): Row => {
    const number = device.row ?? index + 1
    const earlier = seen.get(device.eui)
    if (earlier === undefined) seen.set(device.eui, number)
    const row = { number, device, typeId: undefined }
    if (earlier === undefined) return { ...row, ...planDevice(device, world) }
    return { ...row, ...failed(`Row ${earlier} has the same DevEUI.`) }
  })
}

type Planned = Pick<Row, 'action' | 'status' | 'message' | 'isUntyped'> & { typeId?: number }

function planDevice(device: SourceDevice, world: World): Planned {
  if (!isEui(device.eui)) {
    return failed(device.fault ?? 'The DevEUI must have 16 hexadecimal digits.')
  }
  const known = world.devices.get(device.eui)
  if (known) return planKnown(device, known, world)
  if (device.fault !== undefined) return failed(device.fault)
  const fault = findWayFault(device, world)
  if (fault !== undefined) return failed(fault)
  const type = chooseType(world.choice, world.types, device.profile)
  if ('fault' in type) {
    const why = world.lacking?.get(device.profile ?? '')
    return { ...failed(why === undefined ? type.fault : `${type.fault} ${why}`), isUntyped: true }
  }
  return { action: world.way, status: 'planned', message: promises[world.way], typeId: type.id }
}

export const promises: Record<Way, string> = {
  adopt: 'Would be adopted: it stays at its network.',
  register: 'Would be registered at its network.',
  record: 'Would be recorded here only.',
}

function planKnown(
  { group }: SourceDevice,
  known: KnownDevice,
  { way, place, tree }: World,
): Planned {
  const id = tree.find(group)
  const here =
    way === 'adopt' && !isSamePlace(known.place, place) ? elsewhere(known) : 'Already here'
  const isPlaced = group.length === 0 || (id !== undefined && known.groups.has(id))
  if (isPlaced) return { action: 'none', status: 'done', message: `${here}.` }
  return { action: 'group', status: 'planned', message: `${here}; would be put into its group.` }
}

export function isSamePlace(one: DevicePlace, other: DevicePlace): boolean {
  return one.network === other.network && one.accountName === other.accountName
}

/** An EUI is in an organization once, also where two servers have it. */
export function elsewhere({ place: { network, accountName } }: Pick<KnownDevice, 'place'>): string {
  const account = accountName === undefined ? 'the first account' : `the account "${accountName}"`
  return `Already here, by ${account} at ${network}`
}

function findWayFault(device: SourceDevice, world: World): string | undefined {
  const { way, place, foreign } = world
  if (way === 'adopt') {
    if (foreign === undefined || foreign.has(device.eui)) return undefined
    return "The organization's account does not list the device: it is in another application, or ignored."
  }
  if (device.isOnlyAdopted !== undefined) return device.isOnlyAdopted
  if (device.key === undefined) return 'The AppKey is not known.'
  if (!/^[0-9A-F]{32}$/i.test(device.key)) return 'The AppKey must have 32 hexadecimal digits.'
  const whole = { ...place, ...device.place }
  if (!whole.network) return 'No network is given: --network names one.'
  const isNamed = way === 'register' && whole.accountName !== undefined
  return isNamed && !findAccount(world.accounts, whole) ? `${noAccountAt(whole)}.` : undefined
}

function failed(message: string): Planned {
  return { action: 'none', status: 'failed', message }
}
