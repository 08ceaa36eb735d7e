import type { Queryable } from '../../../db/connect.ts'
import type { Sealer } from '../../../db/seal.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import type { Caller } from '../../../http/endpoint.ts'
import { normalizeEui } from '../../../lora/eui.ts'
import type { DeviceRadio } from '../../../networks/device-radio.ts'
import { findNetwork } from '../../../networks/index.ts'
import { findReasonsToWait } from '../../accounts/provisioning/hindrances.ts'
import { abandonMoves, forgetKeysOfMoves } from '../../accounts/provisioning/move-ending-queries.ts'
import { type Call, enqueueAll, withdrawAll } from '../../accounts/provisioning/outbox-queries.ts'
import { cancelWaiting } from '../../downlinks/ledger.ts'
import { allotIds } from '../batches/id-queries.ts'
import { setGroups } from '../groups/grouped-device-queries.ts'
import { removeAll as removeNotes } from '../notes/note-queries.ts'
import { removeAll as removePhotos } from '../pictures/photo-queries.ts'
import * as queries from './device-write-queries.ts'
import type { Registration } from './registration.ts'
import { findTakenAtOperator, type VendorDevice } from './taken-device-queries.ts'

/**
 * The only code that writes devices: rows, groups, quota, and the outbox, whose calls the provisioner
 * makes. One device takes as many statements as a thousand. The caller locks quota and groups.
 */

/**
 * Inserts devices and returns their ids in the same order. Undefined when another request took one
 * of the EUIs: the transaction must then end. Adopted devices are at their network already, so
 * nothing goes to the outbox.
 */
export async function insertDevices(
  tx: Queryable,
  sealer: Sealer,
  { organizationId, userId }: Pick<Caller, 'organizationId' | 'userId'>,
  {
    registrations,
    now,
    isAdoption = false,
  }: { registrations: readonly Registration[]; now: Date; isAdoption?: boolean },
): Promise<number[] | undefined> {
  if (registrations.length === 0) return []
  const shared = registrations.filter(({ registerMethod }) => registerMethod === 'vendor')
  const places = shared.map(toPlace)
  const taken = await findTakenAtOperator(tx, organizationId, places, 'registration')
  if (taken.length > 0) return undefined
  const ids = await allotIds(tx, 'devices', registrations.length)
  const identified = registrations.map((registration, index) => {
    return { ...registration, id: ids[index] ?? 0 }
  })
  const calls = isAdoption ? [] : identified.flatMap(toAddition)
  const reasons = await findReasonsToWait(tx, organizationId, calls)
  const rows = identified.map(({ deviceKey, groups: _, network, radio, ...device }) => ({
    ...device,
    network: network.key,
    registerStatus: isAdoption || device.isConsoleOnly ? ('active' as const) : ('pending' as const),
    registerError: reasons.get(device.id),
    sealedKey:
      deviceKey === undefined ? null : sealer.seal(deviceKey, sealContext('deviceKey', device.id)),
    ...toRadioColumns(sealer, device.id, radio),
  }))
  const inserted = await queries.insertAll(tx, organizationId, rows, { userId, now })
  if (inserted < rows.length) return undefined
  const grouped = identified.filter(({ groups }) => groups.length > 0)
  await setGroupsOf(tx, organizationId, grouped, now)
  await enqueueAll(tx, organizationId, calls, now)
  return ids
}

function toPlace({ network, deviceEui }: Registration): VendorDevice {
  return { network: network.key, eui: normalizeEui(deviceEui) }
}

function toRadioColumns(sealer: Sealer, id: number, radio: DeviceRadio | undefined) {
  if (!radio) return {}
  const { networkKey, ...open } = radio
  if (networkKey === undefined) return { radio: open }
  return { radio: open, sealedNetworkKey: sealer.seal(networkKey, sealContext('networkKey', id)) }
}

function toAddition(device: Registration & { id: number }): Call[] {
  if (device.isConsoleOnly) return []
  return [
    {
      kind: 'device',
      id: device.id,
      eui: normalizeEui(device.deviceEui),
      network: device.network.key,
      register_method: device.registerMethod,
      action: 'add',
    },
  ]
}

/** New values of a device; undefined leaves a value as it is. */
export interface DeviceChange extends Omit<queries.ChangedColumns, 'sealedKey'> {
  deviceKey?: string | undefined
  /** The whole list of ids. */
  groups?: readonly number[] | undefined
}

/** Returns the changed devices; devices deleted meanwhile are left out. */
export async function changeDevices(
  tx: Queryable,
  sealer: Sealer,
  organizationId: number,
  { changes, now }: { changes: readonly DeviceChange[]; now: Date },
): Promise<queries.RegisteredDevice[]> {
  if (changes.length === 0) return []
  const columns = changes.map(({ deviceKey, groups: _, ...change }) => ({
    ...change,
    sealedKey:
      deviceKey === undefined
        ? undefined
        : sealer.seal(deviceKey, sealContext('deviceKey', change.id)),
  }))
  const changed = await queries.changeAll(tx, organizationId, columns, now)
  const rekeyed = columns.flatMap(({ id, sealedKey }) => (sealedKey ? [id] : []))
  await forgetKeysOfMoves(tx, organizationId, rekeyed)
  await setGroupsOf(tx, organizationId, changes, now)
  const byId = new Map(changed.map((device) => [device.id, device]))
  const calls = changes.flatMap((change): Call[] => {
    const device = byId.get(change.id)
    const action = device && callAfter(device, change)
    const replaces_key = change.deviceKey !== undefined
    return action ? [{ ...device, action, replaces_key }] : []
  })
  await enqueueAll(tx, organizationId, calls, now)
  return changed
}

/**
 * The call that a change needs at the network. A refused device is added again, as it is now. Adding
 * a device that the network has gives it its new key.
 */
export function callAfter(
  device: queries.RegisteredDevice,
  { name, deviceKey, place }: Pick<DeviceChange, 'name' | 'deviceKey' | 'place'>,
): 'add' | 'rename' | undefined {
  const can = findNetwork(device.network)?.capabilities
  const isMoved = place && can?.places?.includes('devices')
  const isTold = name !== undefined || deviceKey !== undefined || isMoved
  if (device.is_console_only || !isTold) return undefined
  if (device.register_status === 'register_error') return 'add'
  if (deviceKey !== undefined && can?.rekeys) return 'add'
  return name !== undefined || isMoved ? 'rename' : undefined
}

/**
 * Deletes devices. Networks that never heard of a device, or refused it, get no call. One that moves is taken from
 * both of its networks.
 */
export async function removeDevices(
  tx: Queryable,
  organizationId: number,
  devices: readonly queries.RegisteredDevice[],
  now: Date,
): Promise<void> {
  if (devices.length === 0) return
  const ids = devices.map(({ id }) => id)
  await queries.markAllDeleted(tx, organizationId, ids, now)
  await removePhotos(tx, organizationId, ids)
  await removeNotes(tx, organizationId, ids)
  const abandoned = await abandonMoves(tx, organizationId, ids, now)
  await cancelWaiting(tx, organizationId, ids)
  const unheardOf = await withdrawAll(tx, organizationId, { kind: 'device', ids }, now)
  const calls = devices.flatMap((device): Call[] =>
    device.is_console_only || device.is_refused || unheardOf.has(device.id)
      ? []
      : [{ ...device, action: 'remove' }],
  )
  const euis = new Map(devices.map(({ id, eui }) => [id, eui]))
  const further = abandoned.flatMap(({ device_id: id, ...place }): Call[] => {
    const isByHand = findNetwork(place.network)?.capabilities.registration === 'by_hand'
    const eui = euis.get(id) ?? ''
    return isByHand ? [] : [{ kind: 'device', id, eui, ...place, action: 'remove' }]
  })
  await enqueueAll(tx, organizationId, [...calls, ...further], now)
}

async function setGroupsOf(
  tx: Queryable,
  organizationId: number,
  devices: readonly { id: number; groups?: readonly number[] | undefined }[],
  now: Date,
): Promise<void> {
  const grouped = devices.flatMap(({ id, groups }) => (groups ? { deviceId: id, groups } : []))
  if (grouped.length > 0) await setGroups(tx, organizationId, grouped, now)
}
