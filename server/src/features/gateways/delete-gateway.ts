import { notFound } from '../../http/errors.ts'
import { endpoint } from '../services.ts'
import { gatewayNotFound, gatewayPath, readGatewayReference } from './gateway-reference.ts'
import { removeGateway } from './gateway-removal.ts'

/** Its network is told to forget it; the devices that were registered with it stay. */
export const deleteGateway = endpoint({
  summary: 'Delete a gateway',
  params: gatewayPath,
  status: 204,
  failures: [404],
  async handle({ params, caller }, { db, provisioner, now }) {
    const reference = readGatewayReference(params.gateway_id)
    const wasThere = await removeGateway(db, caller.organizationId, reference, now())
    if (!wasThere) throw notFound(gatewayNotFound)
    provisioner.wake()
  },
})
