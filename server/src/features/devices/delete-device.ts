import { notFound } from '../../http/errors.ts'
import { endpoint } from '../core-services.ts'
import { cancelWaiting } from '../downlinks/ledger.ts'
import * as deviceQueries from '../inventory/device-queries.ts'
import { lockQuota } from '../inventory/quota-queries.ts'
import { devicePath, readDeviceReference } from '../inventory/references.ts'
import { withdrawAll } from '../provisioning/outbox-batch-queries.ts'
import * as outbox from '../provisioning/outbox-queries.ts'
import type { ProvisioningServices } from '../provisioning/provisioner.ts'

/** The uplinks stay in the account's history; the network is told to forget the device. */
export const deleteDevice = endpoint({
  summary: 'Delete a device',
  description:
    'Its uplinks stay in the history. Its network is told to forget it, again and again while that is out of reach; should it refuse, `POST /network-accounts/{network}/reconcile` shows the device as `only_at_network`.',
  params: devicePath,
  status: 204,
  failures: [404],
  async handle(
    { params, caller: { organizationId } },
    { db, provisioner, now }: ProvisioningServices,
  ) {
    const reference = readDeviceReference(params.device_id)
    const gone = await db.transaction(async (tx) => {
      await lockQuota(tx, organizationId)
      const changed = await deviceQueries.markDeleted(tx, organizationId, reference, now())
      if (!changed) return undefined
      const ids = [changed.id]
      await cancelWaiting(tx, organizationId, ids)
      if (changed.is_console_only) return changed
      const unheardOf = await withdrawAll(tx, organizationId, { kind: 'device', ids }, now())
      if (!unheardOf.has(changed.id)) {
        await outbox.enqueue(tx, organizationId, changed, 'remove', now())
      }
      return changed
    })
    if (!gone) throw notFound('device not found')
    provisioner.wake()
  },
})
