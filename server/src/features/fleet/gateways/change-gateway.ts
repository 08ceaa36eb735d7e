import { z } from 'zod'
import { changeOf } from '../../../http/change-record.ts'
import { invalid, notFound } from '../../../http/errors.ts'
import { withExamples } from '../../../http/examples.ts'
import { requiredText } from '../../../http/fields.ts'
import { findNetwork } from '../../../networks/index.ts'
import type { ProvisioningServices } from '../../accounts/provisioning/provisioner.ts'
import { endpoint } from '../../core-services.ts'
import { announce } from '../../outgoing/events/announce.ts'
import { gatewayNotFound, gatewayPath, readReference } from '../inventory/references.ts'
import { findNameFault, ipAddress } from './gateway-fields.ts'
import { lock } from './gateway-write-queries.ts'
import { changeGateways } from './gateway-writes.ts'

const updated = 'Gateway updated successfully.'

export const changeGateway = endpoint({
  summary: 'Change the name of a gateway, and its address',
  params: gatewayPath,
  body: z.object(
    withExamples(
      { gateway_name: requiredText('gateway name'), gateway_ip: ipAddress },
      { gateway_name: 'Tower', gateway_ip: '192.168.2.7' },
    ),
  ),
  answer: z.object({ status: z.literal(true), message: z.literal(updated) }),
  failures: [404],
  change: changeOf('gateway', 'changed'),
  async handle({ params, body, caller, record }, services: ProvisioningServices) {
    const { db, provisioner, now } = services
    const reference = readReference(params.gateway_id)
    const { organizationId } = caller
    const id = await db.transaction(async (tx) => {
      const gateway = await lock(tx, organizationId, reference)
      if (!gateway) throw notFound(gatewayNotFound)
      const network = findNetwork(gateway.network)
      const fault = network && findNameFault(network, body.gateway_name)
      if (fault) throw invalid({ gateway_name: [fault] })
      const change = { gateway, name: body.gateway_name, ip: body.gateway_ip }
      await changeGateways(tx, organizationId, [change], now())
      await record(tx)
      return gateway.id
    })
    provisioner.wake()
    announce(services, organizationId, { kind: 'gateway', id })
    return { status: true as const, message: updated }
  },
})
