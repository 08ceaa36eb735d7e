import { notFound } from '../../http/errors.ts'
import { cancelWaiting } from '../downlinks/ledger.ts'
import * as outbox from '../provisioning/outbox-queries.ts'
import { endpoint } from '../services.ts'
import * as deviceQueries from './device-queries.ts'
import { devicePath, readDeviceReference } from './device-reference.ts'
import { lockQuota } from './quota-queries.ts'

/** The uplinks stay in the account's history; the network is told to forget the device. */
export const deleteDevice = endpoint({
  summary: 'Delete a device',
  params: devicePath,
  status: 204,
  failures: [404],
  async handle({ params, caller }, { db, provisioner, now }) {
    const reference = readDeviceReference(params.device_id)
    const gone = await db.transaction(async (tx) => {
      await lockQuota(tx, caller.organizationId)
      const changed = await deviceQueries.markDeleted(tx, caller.organizationId, reference, now())
      if (!changed) return undefined
      await cancelWaiting(tx, caller.organizationId, changed.id)
      if (changed.is_console_only) return changed
      const wasOffered = await outbox.withdraw(tx, caller.organizationId, changed, now())
      if (wasOffered) await outbox.enqueue(tx, caller.organizationId, changed, 'remove', now())
      return changed
    })
    if (!gone) throw notFound('device not found')
    provisioner.wake()
  },
})
