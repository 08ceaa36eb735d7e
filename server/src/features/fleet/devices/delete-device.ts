import { changeOf } from '../../../http/change-record.ts'
import { notFound } from '../../../http/errors.ts'
import type { ProvisioningServices } from '../../accounts/provisioning/provisioner.ts'
import { endpoint } from '../../core-services.ts'
import { announce } from '../../outgoing/events/announce.ts'
import { lockRemaining } from '../inventory/quota-queries.ts'
import { devicePath, readReference } from '../inventory/references.ts'
import { lockDevice } from './device-write-queries.ts'
import { removeDevices } from './device-writes.ts'

/** The uplinks stay in the history; the outbox tells the network to remove the device. */
export const deleteDevice = endpoint({
  summary: 'Delete a device',
  description:
    'Its uplinks stay in the history. Its network is told to forget it, again and again while that is out of reach; should it refuse, `POST /network-accounts/{network}/reconcile` shows the device as `only_at_network`.',
  params: devicePath,
  status: 204,
  failures: [404],
  change: changeOf('device', 'deleted'),
  async handle(
    { params, caller: { organizationId }, record },
    { db, provisioner, now, signals }: ProvisioningServices,
  ) {
    const reference = readReference(params.device_id)
    const id = await db.transaction(async (tx) => {
      await lockRemaining(tx, organizationId)
      const device = await lockDevice(tx, organizationId, reference)
      if (!device) throw notFound('device not found')
      await removeDevices(tx, organizationId, [device], now())
      await record(tx)
      return device.id
    })
    provisioner.wake()
    announce({ signals }, organizationId, { kind: 'device', id })
  },
})
