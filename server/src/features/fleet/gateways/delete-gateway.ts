import { changeOf } from '../../../http/change-record.ts'
import { notFound } from '../../../http/errors.ts'
import type { ProvisioningServices } from '../../accounts/provisioning/provisioner.ts'
import { endpoint } from '../../core-services.ts'
import { announce } from '../../outgoing/events/announce.ts'
import { gatewayNotFound, gatewayPath, readReference } from '../inventory/references.ts'
import { lock } from './gateway-write-queries.ts'
import { removeGateways } from './gateway-writes.ts'

/** The outbox tells the network to remove the gateway; devices registered with it stay. */
export const deleteGateway = endpoint({
  summary: 'Delete a gateway',
  description:
    'Its network is told to forget it, again and again while that is out of reach; should it refuse, `POST /network-accounts/{network}/reconcile` shows the gateway as `only_at_network`.',
  params: gatewayPath,
  status: 204,
  failures: [404],
  change: changeOf('gateway', 'deleted'),
  async handle(
    { params, caller: { organizationId }, record },
    { db, provisioner, now, signals }: ProvisioningServices,
  ) {
    const reference = readReference(params.gateway_id)
    const id = await db.transaction(async (tx) => {
      const gateway = await lock(tx, organizationId, reference)
      if (!gateway) throw notFound(gatewayNotFound)
      await removeGateways(tx, organizationId, [gateway], now())
      await record(tx)
      return gateway.id
    })
    provisioner.wake()
    announce({ signals }, organizationId, { kind: 'gateway', id })
  },
})
