import { notFound } from '../../http/errors.ts'
import { endpoint } from '../services.ts'
import { lock } from './gateway-change-queries.ts'
import { removeGateways } from './gateway-changes.ts'
import { gatewayNotFound, gatewayPath, readGatewayReference } from './gateway-reference.ts'

/** Its network is told to forget it; the devices that were registered with it stay. */
export const deleteGateway = endpoint({
  summary: 'Delete a gateway',
  params: gatewayPath,
  status: 204,
  failures: [404],
  async handle({ params, caller: { organizationId } }, { db, provisioner, now }) {
    const reference = readGatewayReference(params.gateway_id)
    await db.transaction(async (tx) => {
      const gateway = await lock(tx, organizationId, reference)
      if (!gateway) throw notFound(gatewayNotFound)
      await removeGateways(tx, organizationId, [gateway], now())
    })
    provisioner.wake()
  },
})
