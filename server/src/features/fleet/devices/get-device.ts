import { z } from 'zod'
import { changeOf } from '../../../http/change-record.ts'
import { notFound } from '../../../http/errors.ts'
import { queryChoice } from '../../../http/fields.ts'
import type { ProvisioningServices } from '../../accounts/provisioning/provisioner.ts'
import { endpoint } from '../../core-services.ts'
import { announce } from '../../outgoing/events/announce.ts'
import { listGroupsOf } from '../groups/grouped-device-queries.ts'
import * as deviceQueries from '../inventory/device-queries.ts'
import { lockRemaining } from '../inventory/quota-queries.ts'
import { devicePath, readReference } from '../inventory/references.ts'
import {
  fullDevice,
  liteRetrievedDevice,
  toFullDevice,
  toLiteRetrievedDevice,
} from './device-record.ts'
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

export const getDevice = endpoint({
  summary: 'Retrieve a device; `version=lite` selects the lite record',
  params: devicePath,
  query: z.object({ version: queryChoice('version', ['lite']).optional() }),
  answer: z.union([
    z.object({ data: fullDevice }).meta({ title: 'full' }),
    z.object({ data: liteRetrievedDevice }).meta({ title: 'lite' }),
  ]),
  failures: [404],
  async handle({ params, query, caller }, { db, publicUrl }) {
    const reference = readReference(params.device_id)
    const device = await deviceQueries.find(db, caller.organizationId, reference)
    if (!device) throw notFound('device not found')
    if (query.version !== 'lite') return { data: toFullDevice(device) }
    const groups = await listGroupsOf(db, caller, device.id)
    return { data: toLiteRetrievedDevice(device, groups, publicUrl) }
  },
})
