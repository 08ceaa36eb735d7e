import { z } from 'zod'
import type { Queryable } from '../../db/connect.ts'
import { invalid, notFound } from '../../http/errors.ts'
import { warningsField } from '../../http/unknown-members.ts'
import { endpoint } from '../core-services.ts'
import { setGroups } from '../groups/grouped-device-queries.ts'
import type { ChangedDevice, StoredDevice } from '../inventory/device-queries.ts'
import * as deviceQueries from '../inventory/device-queries.ts'
import { devicePath, readDeviceReference } from '../inventory/references.ts'
import * as outbox from '../provisioning/outbox-queries.ts'
import type { ProvisioningServices } from '../provisioning/provisioner.ts'
import { callAfter, warnOfChanges } from './change-effects.ts'
import { type DeviceChanges, deviceChanges, findChangeFaults } from './device-changes.ts'
import { findGroupFaults, lockGroups, mustManageGroups } from './device-groups.ts'
import { fullDevice, toFullDevice } from './device-record.ts'
import { deviceKeyContext } from './registration.ts'

export const changeDevice = endpoint({
  summary: 'Change the name of a device, its type, key, notes, gateway and groups',
  description:
    'The name is required when nothing else is given. Name and key go to the network, as far as it takes them; `warnings` say what does not, and what waits. Groups take the permission `manage_groups` as well.',
  params: devicePath,
  body: deviceChanges,
  examples: [
    { name: 'name', body: { device_name: 'Back door' } },
    {
      name: 'type and key',
      body: { deviceType: 16, deviceKey: '00112233445566778899AABBCCDDEEFF' },
    },
  ],
  answer: z.object({ data: fullDevice, ...warningsField }),
  failures: [404],
  async handle({ params, body, caller }, services: ProvisioningServices) {
    const { db, provisioner } = services
    const { organizationId } = caller
    if (body.groups) mustManageGroups(caller)
    const before = await deviceQueries.find(
      db,
      organizationId,
      readDeviceReference(params.device_id),
    )
    if (!before) throw notFound('device not found')
    const changed = await db.transaction((tx) =>
      makeChanges(tx, services, organizationId, { before, changes: body }),
    )
    provisioner.wake()
    const device = await deviceQueries.findRegistered(db, organizationId, before.id)
    const warnings = await warnOfChanges(db, organizationId, changed, body)
    return { data: toFullDevice(device), ...(warnings.length > 0 && { warnings }) }
  },
})

/** Makes them all, or throws the 422 that names everything that is wrong. */
async function makeChanges(
  tx: Queryable,
  { sealer, now }: ProvisioningServices,
  organizationId: number,
  { before, changes }: { before: StoredDevice; changes: DeviceChanges },
): Promise<ChangedDevice> {
  const { id } = before
  const groups = changes.groups ?? []
  const errors = {
    ...(await findChangeFaults(tx, organizationId, before, changes)),
    ...(await findGroupFaults(tx, organizationId, groups)),
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  // Before the device, as batches do.
  if (changes.groups) await lockGroups(tx, organizationId, groups)
  const { deviceKey } = changes
  const details = {
    name: changes.device_name,
    typeId: changes.deviceType,
    notes: changes.extra_notes,
    gatewayId: changes.gatewayId,
    sealedKey: deviceKey === undefined ? undefined : sealer.seal(deviceKey, deviceKeyContext(id)),
  }
  const changed = await deviceQueries.change(tx, organizationId, id, details, now())
  if (!changed) throw notFound('device not found')
  if (changes.groups) await setGroups(tx, organizationId, [{ deviceId: id, groups }], now())
  const action = callAfter(changed, changes)
  if (action) await outbox.enqueue(tx, organizationId, changed, action, now())
  return changed
}
