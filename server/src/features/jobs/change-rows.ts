import { type DeviceChanges, findChangeFaults } from '../devices/device-changes.ts'
import { changeDevices, type DeviceChange } from '../devices/device-writes.ts'
import * as deviceQueries from '../inventory/device-queries.ts'
import type { SettingsOf } from './job-kinds.ts'
import { deviceNotFound, done, failed, type RowResult, type WorkRows } from './portion.ts'

/** Makes the same change to each device, checked as in PATCH /devices/{device_id}. */
export const changeRows: WorkRows = async (tx, { sealer }, { job, sender, now }, rows) => {
  const { organizationId } = sender
  const { changes } = job.settings as SettingsOf<'change'>
  const accepted = new Map<number, DeviceChange>()
  const results: RowResult[] = []
  for (const { eui } of rows) {
    const device = eui ? await deviceQueries.find(tx, organizationId, { id: null, eui }) : undefined
    if (!device) {
      results.push(failed(deviceNotFound))
      continue
    }
    const asked: DeviceChanges = changes
    const faults = await findChangeFaults(tx, organizationId, device, asked)
    const messages = Object.values(faults).flat()
    if (messages.length > 0) {
      results.push(failed(messages.join(' '), device.id))
      continue
    }
    const { deviceType: typeId, extra_notes: notes, gatewayId } = changes
    accepted.set(device.id, { id: device.id, typeId, notes, gatewayId })
    results.push(done(job.is_dry_run ? 'Would be changed.' : 'Changed.', device.id))
  }
  if (!job.is_dry_run) {
    await changeDevices(tx, sealer, organizationId, { changes: [...accepted.values()], now })
  }
  return results
}
