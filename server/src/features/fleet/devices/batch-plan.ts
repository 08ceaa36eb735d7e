import { lacksPermission } from '../../../http/errors.ts'
import type { HindranceOf } from '../../accounts/provisioning/hindrances.ts'
import { paymentMissing } from '../../people/billing/registration-payment.ts'
import type { Place } from '../inventory/places.ts'
import type { Tags } from '../inventory/tags.ts'
import type { BatchCreation, BatchItem, BatchUpdate } from './batch-items.ts'
import { findNameFault } from './device-changes.ts'
import { groupsUnknown } from './device-groups.ts'
import type { RegisteredDevice } from './device-write-queries.ts'
import type { DeviceChange } from './device-writes.ts'
import { quotaSpent, type Registration, typeUnknown } from './registration.ts'
import type { VendorDevice } from './taken-device-queries.ts'

/** The answer to one item of a batch. */
export interface BatchEntry {
  status: boolean
  message: string
  deviceId: string | null
  errors?: string[]
  /** Of a creation: why the network does not take the device for now. */
  warnings?: string[]
}

/** What the database holds when a batch begins; locked until the batch is done. */
export interface World {
  /** The organization's devices under the EUIs of the batch. */
  devices: readonly RegisteredDevice[]
  /** Devices of other organizations at the operator's accounts, by `vendorPlaceOf`. */
  vendorDevices: ReadonlySet<string>
  /** What is left of the quota; negative when the limit was lowered. */
  remaining: number
  /** The ids of the organization's groups; undefined when the caller may not set groups. */
  groups: ReadonlySet<number> | undefined
  /** Ids of custom device types that the organization does not have. */
  missingTypes: ReadonlySet<number>
  /** Keys of networks that need billing to be set up before a registration. */
  unpaid: ReadonlySet<string>
  hindranceOf: HindranceOf
}

/** The answers, and the writes that make them true. */
export interface BatchPlan {
  entries: BatchEntry[]
  changes: DeviceChange[]
  removals: RegisteredDevice[]
  /** Carried out after the removals, which may free an EUI. */
  additions: Registration[]
}

/** The device under one EUI, as the items so far leave it. */
interface Slot {
  stored: RegisteredDevice | undefined
  newName: string | undefined
  newGroups: readonly number[] | undefined
  newTags: Tags | undefined
  newPlace: Place | null | undefined
  isRemoved: boolean
  draft: Registration | undefined
}

/** The key of an EUI at one of the operator's accounts, where only one organization can hold it. */
export function vendorPlaceOf({ network, eui }: VendorDevice): string {
  return `${network} ${eui}`
}

const invalidMessage = 'Device registration failed due to the validation errors.'

/**
 * Answers the items in order, each in the world that the items before it leave behind. The plan is
 * the net result: a device that is created and deleted in one batch is never stored.
 */
export function planBatch(items: readonly BatchItem[], world: World): BatchPlan {
  const slots = new Map<string, Slot>(
    world.devices.map((stored) => [stored.eui, { ...emptySlot(), stored }]),
  )
  let { remaining } = world
  const entries = items.map((item): BatchEntry => {
    if (item.action === 'none') return refused(item.errors)
    const slot = slots.get(item.eui) ?? emptySlot()
    slots.set(item.eui, slot)
    if (item.action === 'create') {
      const fault = findFault(slot, item, { ...world, remaining })
      if (fault !== undefined) return refused([fault])
      remaining -= 1
      slot.draft = item.registration
      const entry = done('Device added successfully', item.registration.deviceEui)
      return { ...entry, ...warnOf(item.registration, world) }
    }
    const found = findMine(slot)
    if (found === undefined) {
      return { status: false, message: 'device not found', deviceId: item.sentEui }
    }
    if (item.action === 'update') {
      const fault = findRenameFault(slot, item.name) ?? findGroupFault(item.groups, world)
      if (fault !== undefined) return refused([fault])
      update(slot, item)
      return done('Device updated successfully', found)
    }
    remaining += 1
    remove(slot)
    return done('Device deleted successfully', found)
  })
  return { entries, ...sumUp([...slots.values()]) }
}

function emptySlot(): Slot {
  return {
    stored: undefined,
    newName: undefined,
    newGroups: undefined,
    newTags: undefined,
    newPlace: undefined,
    isRemoved: false,
    draft: undefined,
  }
}

function findFault(
  slot: Slot,
  { eui, registration: { network, typeId, registerMethod } }: BatchCreation,
  world: World,
): string | undefined {
  if (world.missingTypes.has(typeId)) return typeUnknown
  const isTaken = slot.draft !== undefined || (slot.stored !== undefined && !slot.isRemoved)
  const place = vendorPlaceOf({ network: network.key, eui })
  const isTakenByOthers = registerMethod === 'vendor' && world.vendorDevices.has(place)
  if (isTaken || isTakenByOthers) return 'The device EUI has already been taken.'
  if (world.remaining <= 0) return quotaSpent
  return world.unpaid.has(network.key) ? paymentMissing : undefined
}

function warnOf(
  { network, registerMethod, isConsoleOnly }: Registration,
  { hindranceOf }: World,
): Pick<BatchEntry, 'warnings'> {
  if (isConsoleOnly) return {}
  const place = { network: network.key, register_method: registerMethod }
  const hindrance = hindranceOf({ kind: 'device', ...place })
  return hindrance ? { warnings: [hindrance.sentence] } : {}
}

/** The EUI of the organization's device, as it was sent when registered. */
function findMine({ stored, isRemoved, draft }: Slot): string | undefined {
  if (draft) return draft.deviceEui
  return stored && !isRemoved ? stored.device_eui : undefined
}

/** The fault of a new name at the device's network. */
function findRenameFault({ stored, draft }: Slot, name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  if (!draft) return stored && findNameFault(stored, name)
  const { network, isConsoleOnly } = draft
  return findNameFault({ network: network.key, is_console_only: isConsoleOnly }, name)
}

function findGroupFault(groups: readonly number[] | undefined, world: World): string | undefined {
  if (groups === undefined) return undefined
  if (world.groups === undefined) return lacksPermission('manage_groups')
  const unknown = groups.filter((id) => !world.groups?.has(id))
  return unknown.length > 0 ? groupsUnknown(unknown) : undefined
}

function update(slot: Slot, { name, groups, tags, place }: BatchUpdate): void {
  const { draft } = slot
  if (!draft) {
    slot.newName = name ?? slot.newName
    slot.newGroups = groups ?? slot.newGroups
    slot.newTags = tags ?? slot.newTags
    if (place !== undefined) slot.newPlace = place
    return
  }
  slot.draft = {
    ...draft,
    name: name ?? draft.name,
    groups: groups ?? draft.groups,
    tags: tags ?? draft.tags,
    place: place === undefined ? draft.place : (place ?? undefined),
  }
}

function remove(slot: Slot): void {
  if (slot.draft) slot.draft = undefined
  else slot.isRemoved = true
}

function sumUp(slots: readonly Slot[]): Omit<BatchPlan, 'entries'> {
  return {
    changes: slots.flatMap(
      ({ stored, newName: name, newGroups: groups, newTags: tags, newPlace: place, ...slot }) => {
        const isChanged = name !== undefined || tags !== undefined || place !== undefined
        return stored && isChanged && !slot.isRemoved
          ? { id: stored.id, name, groups, tags, place }
          : []
      },
    ),
    removals: slots.flatMap(({ stored, isRemoved }) => (stored && isRemoved ? stored : [])),
    additions: slots.flatMap(({ draft }) => draft ?? []),
  }
}

function done(message: string, deviceId: string): BatchEntry {
  return { status: true, message, deviceId }
}

function refused(errors: string[]): BatchEntry {
  return { status: false, message: invalidMessage, deviceId: null, errors }
}
