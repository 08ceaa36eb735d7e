import type { Queryable } from '../../../db/connect.ts'
import { normalizeEui } from '../../../lora/eui.ts'
import { findNetwork } from '../../../networks/index.ts'
import { firstCustomTypeId } from '../../../sensors/index.ts'
import { EuiTakenMeanwhile, transactBatch } from '../../fleet/batches/batches.ts'
import { insertDevices } from '../../fleet/devices/device-writes.ts'
import { toRadio } from '../../fleet/devices/radio-settings.ts'
import type { Registration } from '../../fleet/devices/registration.ts'
import { findTakenAtOperator } from '../../fleet/devices/taken-device-queries.ts'
import { storeVariables } from '../../fleet/inventory/device-queries.ts'
import { toPlace } from '../../fleet/inventory/places.ts'
import { lockRemaining } from '../../fleet/inventory/quota-queries.ts'
import { type ArchivedDevice, archivedDevice, fileOf } from './archive-format.ts'
import { findDevices, insertDeleted, setPast } from './import-queries.ts'
import { readRecords } from './read-archive.ts'
import { type Ids, type Restored, type Restoring, refuseRepeated, shortList } from './restoring.ts'
import { setStates } from './settle-queries.ts'

const pageSize = 500

interface Maps {
  groups: Ids
  types: Ids
  gateways: Ids
}

interface RestoredDevices {
  ids: Ids
  restored: Restored
  /** Gives the devices the state that they had, when their uplinks are there. */
  settle(): Promise<void>
}

/**
 * Records the devices that are missing as they were, without a call to their networks. Deleted ones
 * come back as deleted, since their uplinks count.
 */
export async function restoreDevices(restoring: Restoring, maps: Maps): Promise<RestoredDevices> {
  const { db, manifest, organizationId, isDryRun, tell } = restoring
  const ids: Ids = new Map()
  const total = manifest.members.devices.records
  const restored = { added: 0, known: 0 }
  for await (const page of readRecords(restoring, 'devices', archivedDevice, pageSize)) {
    await transactBatch(db, async (tx) => {
      const missing = await splitKnown(tx, restoring, page, ids)
      await refuseTaken(tx, organizationId, missing)
      if (!isDryRun) await addDevices(tx, restoring, maps, missing, ids)
      for (const { id } of missing) if (!ids.has(id)) ids.set(id, -id)
      restored.added += missing.length
      restored.known += page.length - missing.length
    })
    tell('devices', restored.added + restored.known, total)
  }
  return {
    ids,
    restored,
    async settle() {
      if (isDryRun) return
      for await (const page of readRecords(restoring, 'devices', archivedDevice, pageSize)) {
        const states = page.map((device) => ({ ...device, newId: ids.get(device.id) ?? 0 }))
        await setStates(db, organizationId, states)
      }
    },
  }
}

/** Notes the ids of devices that are there, and returns the others. */
async function splitKnown(
  tx: Queryable,
  { organizationId }: Restoring,
  page: readonly ArchivedDevice[],
  ids: Ids,
): Promise<ArchivedDevice[]> {
  const euis = page.map(({ device_id }) => normalizeEui(device_id))
  // First: its lock keeps what is read below unchanged.
  await lockRemaining(tx, organizationId)
  const stored = await findDevices(tx, organizationId, euis)
  const known = new Map(
    stored.map(({ id, eui, deleted_at }) => [placeOf(eui, deleted_at && Number(deleted_at)), id]),
  )
  return page.filter((device) => {
    const at = device.deleted_at === null ? null : secondsOf(device.deleted_at)
    const id = known.get(placeOf(normalizeEui(device.device_id), at))
    if (id !== undefined) ids.set(device.id, id)
    return id === undefined
  })
}

/**
 * The operator's account at a network holds an EUI once, for whichever organization.
 * @throws Error that names the devices.
 */
async function refuseTaken(
  tx: Queryable,
  organizationId: number,
  missing: readonly ArchivedDevice[],
): Promise<void> {
  const living = missing.filter(({ deleted_at }) => deleted_at === null)
  refuseRepeated('devices', living, ({ device_id }) => normalizeEui(device_id))
  const places = living
    .filter(({ register_method }) => register_method === 'vendor')
    .map(({ network, device_id }) => ({ network, eui: normalizeEui(device_id) }))
  const taken = await findTakenAtOperator(tx, organizationId, places, 'registration')
  if (taken.length === 0) return
  const names = taken.map(({ network, eui }) => `${eui} (${network})`)
  throw new Error(
    `Another organization has these devices of ${fileOf.devices} at the operator's account of their` +
      ` network: ${shortList(names)}. Delete them there, or take them out of the archive.`,
  )
}

function placeOf(eui: string, deletedAt: number | '' | null): string {
  return `${eui} ${deletedAt === null ? '' : Number(deletedAt).toFixed(3)}`
}

function secondsOf(time: string): number {
  return new Date(time).getTime() / 1000
}

async function addDevices(
  tx: Queryable,
  { organizationId, userId, sealer, now }: Restoring,
  maps: Maps,
  devices: readonly ArchivedDevice[],
  ids: Ids,
): Promise<void> {
  const mapped = devices.map((device) => ({ ...device, type_id: mapType(device.type_id, maps) }))
  const living = mapped.filter(({ deleted_at }) => deleted_at === null)
  const remaining = await lockRemaining(tx, organizationId)
  if (living.length > remaining) {
    throw new Error(
      `The organization may have ${remaining} more devices, and the archive brings ${living.length}: raise its limit, then run this again.`,
    )
  }
  const registrations = living.map((device) => toRegistration(device, maps))
  const what = { registrations, now, isAdoption: true }
  const made = await insertDevices(tx, sealer, { organizationId, userId }, what)
  if (!made) throw new EuiTakenMeanwhile()
  const past = living.map((device, index) => ({ ...device, newId: made[index] ?? 0 }))
  await setPast(tx, organizationId, past)
  for (const { id, newId, variables } of past) {
    ids.set(id, newId)
    if (!variables) continue
    await storeVariables(tx, sealer, organizationId, { deviceId: newId, variables, now })
  }
  const deleted = mapped.filter(({ deleted_at }) => deleted_at !== null)
  const gone = await insertDeleted(tx, organizationId, deleted, userId)
  for (const [index, { id }] of deleted.entries()) ids.set(id, gone[index] ?? 0)
}

function mapType(id: number, { types }: Maps): number {
  return id < firstCustomTypeId ? id : (types.get(id) ?? id)
}

function toRegistration(device: ArchivedDevice, { groups, gateways }: Maps): Registration {
  const network = findNetwork(device.network)
  if (!network) throw new Error(`This service has no network "${device.network}".`)
  return {
    deviceEui: device.device_id,
    deviceKey: device.device_key,
    joinEui: device.join_eui,
    name: device.name,
    typeId: device.type_id,
    network,
    registerMethod: device.register_method,
    gatewayId: device.gateway_id === null ? null : (gateways.get(device.gateway_id) ?? null),
    appRegion: device.app_region,
    frequencyPlan: device.frequency_plan,
    networkProfile: device.device_profile ?? undefined,
    radio: toRadio(device.lorawan),
    isConsoleOnly: device.is_console_only,
    groups: device.groups.flatMap((id) => groups.get(id) ?? []),
    tags: device.tags,
    place: toPlace(device) ?? undefined,
  }
}
