import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { changeOf } from '../../../http/change-record.ts'
import { invalid, notFound } from '../../../http/errors.ts'
import { warningsField } from '../../../http/unknown-members.ts'
import { findNetwork } from '../../../networks/index.ts'
import { findHindrances } from '../../accounts/provisioning/hindrances.ts'
import type { ProvisioningServices } from '../../accounts/provisioning/provisioner.ts'
import { endpoint } from '../../core-services.ts'
import { announce } from '../../outgoing/events/announce.ts'
import type { StoredDevice } from '../inventory/device-queries.ts'
import * as deviceQueries from '../inventory/device-queries.ts'
import { toPlace } from '../inventory/places.ts'
import { devicePath, readReference } from '../inventory/references.ts'
import { type DeviceChanges, deviceChanges, findChangeFaults } from './device-changes.ts'
import { findGroupFaults, lockGroups, mustManageGroups, mustManageTags } from './device-groups.ts'
import { fullDevice, toFullDevice } from './device-record.ts'
import type { RegisteredDevice } from './device-write-queries.ts'
import { callAfter, changeDevices } from './device-writes.ts'

export const changeDevice = endpoint({
  summary: 'Change the name of a device, its type, key, notes, tags, place, gateway and groups',
  description:
    'The name is required when nothing else is given. Name, key and place go to the network, as far as it takes them; `warnings` say what does not, and what waits. Groups take the permission `manage_groups` as well.',
  params: devicePath,
  body: deviceChanges,
  examples: [
    { name: 'name', body: { device_name: 'Back door' } },
    {
      name: 'type and key',
      body: { deviceType: 16, deviceKey: '00112233445566778899AABBCCDDEEFF' },
    },
    { name: 'tags', body: { tags: { floor: '2', customer: 'Hotel North' } } },
    { name: 'place', body: { latitude: 48.137, longitude: 11.575, place_source: 'map' } },
  ],
  answer: z.object({ data: fullDevice, ...warningsField }),
  failures: [404],
  change: changeOf('device', 'changed'),
  async handle({ params, body, caller, record }, services: ProvisioningServices) {
    const { db, provisioner } = services
    const { organizationId } = caller
    if (body.groups) mustManageGroups(caller)
    if (body.tags) mustManageTags(caller)
    const before = await deviceQueries.find(db, organizationId, readReference(params.device_id))
    if (!before) throw notFound('device not found')
    const changed = await db.transaction(async (tx) => {
      const made = await makeChanges(tx, services, organizationId, { before, changes: body })
      await record(tx)
      return made
    })
    provisioner.wake()
    announce(services, organizationId, { kind: 'device', id: before.id })
    const device = await deviceQueries.findRegistered(db, organizationId, before.id)
    const warnings = await warnOfChanges(db, organizationId, changed, body)
    return { data: toFullDevice(device), ...(warnings.length > 0 && { warnings }) }
  },
})

/** Makes all changes, or throws the 422 with all faults. */
async function makeChanges(
  tx: Queryable,
  { sealer, now }: ProvisioningServices,
  organizationId: number,
  { before, changes }: { before: StoredDevice; changes: DeviceChanges },
): Promise<RegisteredDevice> {
  const { groups } = changes
  const errors = {
    ...(await findChangeFaults(tx, organizationId, before, changes)),
    ...(await findGroupFaults(tx, organizationId, groups ?? [])),
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  // Groups are locked before devices, as in batches.
  if (groups) await lockGroups(tx, organizationId, groups)
  const change = {
    id: before.id,
    name: changes.device_name,
    typeId: changes.deviceType,
    deviceKey: changes.deviceKey,
    notes: changes.extra_notes,
    tags: changes.tags,
    place: toPlace(changes),
    gatewayId: changes.gatewayId,
    groups,
  }
  const what = { changes: [change], now: now() }
  const [changed] = await changeDevices(tx, sealer, organizationId, what)
  if (!changed) throw notFound('device not found')
  return changed
}

/** Says which changes do not reach the network, or not yet. */
async function warnOfChanges(
  db: Queryable,
  organizationId: number,
  device: RegisteredDevice,
  { device_name: newName, deviceKey, deviceType }: DeviceChanges,
): Promise<string[]> {
  if (device.is_console_only) return []
  const { capabilities: can, name = device.network } = findNetwork(device.network) ?? {}
  const warnings: string[] = []
  const isThere = device.register_status === 'active'
  if (deviceKey !== undefined && (can?.rekeys || !isThere)) {
    warnings.push(`The new key goes to ${name}: the device must have it too for its next join.`)
  } else if (deviceKey !== undefined) {
    warnings.push(
      `The new key is kept here only: ${name} takes none for a device that it has. Change it there as well.`,
    )
  }
  if (newName !== undefined && can && !can.renames) {
    warnings.push(`The new name is kept here only: ${name} takes none for a device that it has.`)
  }
  if (deviceType !== undefined) {
    warnings.push(`The type is stored here only, not at ${name}.`)
  }
  // The record of a pending device has its own reason.
  if (!isThere || !callAfter(device, { name: newName, deviceKey })) return warnings
  const hindrance = (await findHindrances(db, organizationId))(device)
  return hindrance?.waits
    ? [...warnings, `${hindrance.reason} The change waits until then.`]
    : warnings
}
